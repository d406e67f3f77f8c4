"""C programs and the trees they become."""

import re
from pathlib import Path

import pytest
from cases import beside

import polynb
from polynb.scop.wrapping import without_conversions
from polynb.source import tree as syntax
from polynb.source.c.parser import parse_c
from polynb.source.tree import same

CASES = beside(__file__)

GALLERY = Path(polynb.__file__).parent / "gallery"


def text(e):
    """An expression, fully bracketed: $n is a parameter, @i an iterator."""
    match e:
        case syntax.Number(value=v):
            return repr(v)
        case syntax.Parameter(name=n):
            return f"${n}"
        case syntax.Iterator(name=n):
            return f"@{n}"
        case syntax.Access(array=a, subscripts=s):
            return a + "".join(f"[{text(x)}]" for x in s)
        case syntax.Unary(op=op, operand=x):
            return f"{op}({text(x)})"
        case syntax.Binary(op=op, left=a, right=b):
            return f"({text(a)} {op} {text(b)})"
        case syntax.Call(function=f, arguments=args):
            return f"{f}({', '.join(map(text, args))})"
        case syntax.Select(condition=c, then=a, otherwise=b):
            return f"({text(c)} ? {text(a)} : {text(b)})"
        case syntax.Cast(type=t, operand=x):
            return f"{t}({text(x)})"
    raise TypeError(e)


def lines(body):
    for s in body:
        match s:
            case syntax.Assign():
                label = f"{s.label}: " if s.label else ""
                yield f"{label}{text(s.target)} = {text(s.value)}"
            case syntax.For():
                step = f" by {s.step}" if s.step != 1 else ""
                yield f"for {s.iterator} = {text(s.lower)} to {text(s.upper)}{step}"
                yield from ("  " + line for line in lines(s.body))
            case syntax.If():
                yield f"if {text(s.condition)}"
                yield from ("  " + line for line in lines(s.then))
                if s.otherwise:
                    yield "else"
                    yield from ("  " + line for line in lines(s.otherwise))


def value(e, **parameters):
    """The value of an expression over parameters, computed with all integers."""
    plain = text(without_conversions(e)).replace("$", "").replace("floord", "//")
    return eval(plain.replace(" / ", " // "), {"min": min, "max": max}, parameters)


def outline(c, **options):
    return list(lines(parse_c(c, **options).body))


def declared(program):
    """name -> (role, type, extents) as text."""
    return {
        d.name: (
            d.role,
            str(d.type) if d.type else None,
            None if d.extents is None else [text(e) for e in d.extents],
        )
        for d in program.declarations
    }


# -- whole programs ----------------------------------------------------------------------


def test_gemm():
    p = parse_c((GALLERY / "gemm.c").read_text())
    assert (p.name, p.language, p.parameters) == ("gemm", "c", ("ni", "nj", "nk"))
    assert declared(p) == {
        "alpha": (None, "double", []),
        "beta": (None, "double", []),
        "C": (None, "double", ["$ni", "$nj"]),
        "A": (None, "double", ["$ni", "$nk"]),
        "B": (None, "double", ["$nk", "$nj"]),
    }
    assert list(lines(p.body)) == [
        "for i = 0 to ($ni - 1)",
        "  for j = 0 to ($nj - 1)",
        "    scale: C[@i][@j] = (C[@i][@j] * beta)",
        "    for k = 0 to ($nk - 1)",
        "      add: C[@i][@j] = (C[@i][@j] + ((alpha * A[@i][@k]) * B[@k][@j]))",
    ]


def test_jacobi_with_two_buffers_and_a_time_loop():
    p = parse_c((GALLERY / "jacobi_1d.c").read_text())
    assert p.parameters == ("tsteps", "n")
    assert declared(p) == {n: (None, "double", ["$n"]) for n in "AB"}
    assert list(lines(p.body))[:3] == [
        "for t = 0 to ($tsteps - 1)",
        "  for i = 1 to ($n - 2)",
        "    there: B[@i] = (((A[(@i - 1)] + A[@i]) + A[(@i + 1)]) / 3.0)",
    ]


def test_durbins_scalars_are_temporaries():
    p = parse_c((GALLERY / "durbin.c").read_text())
    assert declared(p) == {
        "r": (None, "double", ["$n"]),
        "y": (None, "double", ["$n"]),
        "z": ("temp", "double", ["$n"]),
        "alpha": ("temp", "double", []),
        "beta": ("temp", "double", []),
        "sum": ("temp", "double", []),
    }


def test_cholesky_triangular_bounds_and_sqrt():
    found = list(lines(parse_c((GALLERY / "cholesky.c").read_text()).body))
    assert found[1] == "  for j = 0 to (@i - 1)"
    assert found[-1] == "  root: A[@i][@i] = sqrt(A[@i][@i])"


def test_floyd_warshalls_ternary_is_a_minimum():
    found = list(lines(parse_c((GALLERY / "floyd_warshall.c").read_text()).body))
    assert found[-1].strip() == (
        "via: path[@i][@j] = min(path[@i][@j], (path[@i][@k] + path[@k][@j]))"
    )


def test_correlation_keeps_conditions_on_data():
    p = parse_c("""
    void correlation(int m, int n, float eps, float data[n][m], float stddev[m]) {
      for (int j = 0; j < m; j++) {
        stddev[j] = 0.0f;
        for (int i = 0; i < n; i++) stddev[j] += data[i][j] * data[i][j];
        stddev[j] = sqrtf(stddev[j] / n);
        if (stddev[j] <= eps) stddev[j] = 1.0f; else if (j % 2 == 0 && n > 3) stddev[j] /= 2;
      }
    }""")
    assert p.parameters == ("m", "n")
    assert declared(p)["eps"] == (None, "float", [])
    assert list(lines(p.body))[4:] == [
        "  stddev[@j] = sqrtf((stddev[@j] / $n))",
        "  if (stddev[@j] <= eps)",
        "    stddev[@j] = 1.0",
        "  else",
        "    if (((@j % 2) == 0) && ($n > 3))",
        "      stddev[@j] = (stddev[@j] / 2)",
    ]


def test_every_kernel_of_the_gallery_parses():
    for path in GALLERY.glob("*.c"):
        p = parse_c(path.read_text())
        labels = [s.label for s in syntax.statements(p.body)]
        assert labels
        assert all(labels), path.name


# -- loops -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "expected"),
    CASES["heads_of_loops_0"],
)
@pytest.mark.parametrize("kind", ["int ", "long ", "size_t ", ""])
def test_heads_of_loops(head, expected, kind):
    head = head if head.count(";") == 2 else f"{head}; i++"
    if kind == "size_t " and head.endswith("i >= 0; i--"):
        pytest.skip("never ends, and is refused")
    c = f"#define sizeof_int 4\nvoid f(int n, int m, double A[10]) {{ int i; for ({kind}{head}) "
    if kind != "size_t ":
        assert outline(c + "A[i] = 0; }") == [f"for i = {expected}", "  A[@i] = 0"]
        return
    # Conversions are written out, so that only the values can be compared.
    (loop,) = parse_c(c + "A[i] = 0; }").body
    first, last, step = re.fullmatch(r"(.*) to (.*?)(?: by (.*))?", expected).groups()
    assert loop.step == int(step or 1)
    for n, m in ((7, 3), (4, 9)):
        for found, wanted in ((loop.lower, first), (loop.upper, last)):
            wanted = wanted.replace("$", "").replace("floord", "//").replace(" / ", " // ")
            assert value(found, n=n, m=m) == eval(wanted, {"min": min, "max": max, "n": n, "m": m})


def test_blocks_pragmas_empty_statements_and_comments():
    found = outline("""
    #include <omp.h>
    #pragma omp parallel for private(j)
    for (int i = 0; i < n; i++) { // S9
        ; /* A[i] = 3; */
        #pragma GCC ivdep
        for (int j = 0; j < i; j++) { { A[i][j] = 0; // T
        } }
    }""")
    assert found == ["for i = 0 to ($n - 1)", "  for j = 0 to (@i - 1)", "    A[@i][@j] = 0"]


# -- names -------------------------------------------------------------------------------


def test_shadowed_names_are_told_apart():
    p = parse_c("""
    void f(int n, double A[n], double x) {
        for (int i = 0; i < n; i++) {
            double x = A[i];
            { double x = 1; A[i] = x; }
            for (int i = 0; i < 3; i++) A[i] = x;
        }
        for (int i = 0; i < n; i++) A[i] = x;
    }""")
    assert list(lines(p.body)) == [
        "for i = 0 to ($n - 1)",
        "  x_1 = A[@i]",
        "  x_2 = 1",
        "  A[@i] = x_2",
        "  for i_1 = 0 to 2",
        "    A[@i_1] = x_1",
        "for i = 0 to ($n - 1)",
        "  A[@i] = x",
    ]
    roles = {name: role for name, (role, _, _) in declared(p).items()}
    assert roles == {"A": None, "x": None, "x_1": "temp", "x_2": "temp"}


def test_an_iterator_gives_way_to_a_scalar_of_its_name():
    found = outline("i = 3; for (int i = 0; i < 2; i++) A[i] = 0;")
    assert found == ["i = 3", "for i_1 = 0 to 1", "  A[@i_1] = 0"]


def test_words_of_the_scop_language_are_names_here():
    found = outline("for (int to = 0; to < done; to++) input[to] = temp + in[to];")
    assert found == ["for to = 0 to ($done - 1)", "  input[@to] = (temp + in[@to])"]


def test_parameters_are_integers_read_where_values_must_be_affine():
    p = parse_c("""
    int size; static long shift; short scale;
    void f(int n, double A[size], int flag, int factor, unsigned char top, int count, double eps,
           int limit) {
        for (int i = 0; i < size; i++) {
            if (flag) A[i + shift] = factor;
            if (A[i] < top) A[i] = scale;
            if (count > 2 && A[i] < eps) A[i] = 0;
            if (i < eps + limit) A[i] = 1;
        }
    }""")
    assert p.parameters == ("size", "shift", "flag", "count")
    assert list(declared(p)) == ["scale", "A", "factor", "top", "eps", "limit"]


def test_in_a_bare_nest_undeclared_names_are_parameters_arrays_or_scalars():
    p = parse_c("for (i = lo; i < n; i++) if (i != k && A[i] <= eps) { s += A[i] * c; B[q] = s; }")
    assert p.name == "kernel"
    assert p.parameters == ("lo", "n", "k", "q")
    assert declared(p) == {
        "A": (None, None, None),
        "eps": (None, None, None),
        "c": (None, None, None),
        "s": (None, None, None),
        "B": (None, None, None),
    }


def test_conditions_within_values_count_too():
    p = parse_c("for (i = 0; i < n; i++) A[i] = i < m ? 1 : A[i] < eps ? B[i] : c;")
    assert p.parameters == ("n", "m")
    assert list(declared(p)) == ["A", "eps", "B", "c"]


def test_declarations_of_a_bare_nest_are_its_arrays():
    p = parse_c(
        "int n; double A[n]; float s = 0;\nfor (int i = 0; i < n; i++) { double t = A[i]; s += t; }"
    )
    assert p.parameters == ("n",)
    assert declared(p) == {
        "A": (None, "double", ["$n"]),
        "s": (None, "float", []),
        "t": ("temp", "double", []),
    }


# -- types -------------------------------------------------------------------------------


def test_the_types_of_an_lp64_machine():
    types = {
        "char": "int8",
        "signed char": "int8",
        "unsigned char": "uint8",
        "short int": "int16",
        "unsigned short": "uint16",
        "int": "int32",
        "unsigned": "uint32",
        "long": "int64",
        "unsigned long int": "uint64",
        "long long": "int64",
        "unsigned long long": "uint64",
        "size_t": "uint64",
        "ptrdiff_t": "int64",
        "bool": "uint8",
        "_Bool": "uint8",
        "int16_t": "int16",
        "uint32_t": "uint32",
        "float": "float",
        "double": "double",
        "real": "float",
        "const int": "int32",
    }
    arguments = ", ".join(f"{t} a{k}[10]" for k, t in enumerate(types))
    uses = " ".join(f"x = a{k}[0];" for k in range(len(types)))
    p = parse_c(f"typedef float real; void f({arguments}, double x) {{ {uses} }}")
    found = [t for name, (_, t, _) in declared(p).items() if name != "x"]
    assert found == list(types.values())


def test_forms_of_array_arguments():
    p = parse_c("""
    typedef double row[7];
    void f(int n, int m, double A[restrict static n][m], float (*B)[m], int32_t *c,
           const double D[][3], double E[const 4], row F, double *restrict G) {
        A[0][0] = B[0][0] + c[0] + D[0][0] + E[0] + F[0] + G[0];
    }""")
    assert declared(p) == {
        "A": (None, "double", ["$n", "$m"]),
        "B": (None, "float", None),
        "c": (None, "int32", None),
        "D": (None, "double", None),
        "E": (None, "double", ["4"]),
        "F": (None, "double", ["7"]),
        "G": (None, "double", None),
    }


def test_constants_stand_for_their_values():
    c = """
    #define SIZE (N + 2)
    enum { P = 3, Q };
    static const int N = 2 * 4;
    void f(double A[SIZE]) {
        const double half = 0.5, minus = -2;
        for (int i = 0; i < SIZE; i++) A[i] = half * P + Q - minus;
    }"""
    assert outline(c) == [
        "for i = 0 to 9",
        "  A[@i] = (((0.5 * 3) + 4) - -(2.0))",
    ]


# -- statements --------------------------------------------------------------------------


def test_compound_assignments_read_their_target_afresh():
    p = parse_c("A[i + 1] += b * c;")
    (s,) = p.body
    assert same(p.body, parse_c("A[i + 1] = A[i + 1] + b * c;").body)
    assert s.value.left is not s.target
    assert s.value.left.subscripts[0] is not s.target.subscripts[0]
    assert s.value.left.span.text == s.target.span.text == "A[i + 1]"


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"])
def test_every_compound_assignment(op):
    assert outline(f"int a, b; a {op}= b + 1;") == [f"a = (a {op} (b + 1))"]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("S: a = b = e;", ["S: b = e", "S_1: a = b"]),
        ("a = b = c = 1;", ["c = 1", "b = c", "a = b"]),
        ("C[i] = (c += x);", ["c = (c + x)", "C[$i] = c"]),
        ("T: x = y++;", ["T: x = y", "T_1: y = (y + 1)"]),
        ("a = b = y--;", ["b = y", "a = b", "y = (y - 1)"]),
        ("x = y++ > 0 && y < 9;", ["y_old = y", "y = (y + 1)", "x = ((y_old > 0) && (y < 9))"]),
        ("x = (y++, y);", ["y = (y + 1)", "x = y"]),
        ("x = y++, z = y;", ["x = y", "y = (y + 1)", "z = y"]),
        ("if (y++) x = y;", ["y_old = y", "y = (y + 1)", "if y_old", "  x = y"]),
        ("x = y++ ? y : z;", ["y_old = y", "y = (y + 1)", "x = (y_old ? y : z)"]),
        ("A[B[k++]++] = 2;", ["A[B[k]] = 2", "B[k] = (B[k] + 1)", "k = (k + 1)"]),
        ("B[k++]++;", ["B[k] = (B[k] + 1)", "k = (k + 1)"]),
        ("x = A[k--] += 2;", ["A[k] = (A[k] + 2)", "x = A[k]", "k = (k - 1)"]),
        ("x = A[++k];", ["k = (k + 1)", "x = A[k]"]),
        ("x = --y;", ["y = (y - 1)", "x = y"]),
        ("x++;", ["x = (x + 1)"]),
        ("--x;", ["x = (x - 1)"]),
        ("A[k++] = 2;", ["A[k] = 2", "k = (k + 1)"]),
        ("x = 1, y = 2;", ["x = 1", "y = 2"]),
        ("x = (y = 2, y + 1);", ["y = 2", "x = (y + 1)"]),
        ("if ((x = A[0]) > 0) y = x;", ["x = A[0]", "if (x > 0)", "  y = x"]),
        ("(void) x; y = 1;", ["y = 1"]),
        ("S_1: q = 0; S: a = b = e;", ["S_1: q = 0", "S: b = e", "S_2: a = b"]),
    ],
)
def test_statements_with_several_writes_are_split(statement, expected):
    assert outline(statement) == expected


def test_the_temporaries_of_splitting_have_the_type_of_what_they_hold():
    p = parse_c("void f(float y, float x[1]) { if (y++ > 3) x[0] = y; }")
    assert declared(p) == {
        "x": (None, "float", ["1"]),
        "y": ("temp", "float", []),
        "y_old": ("temp", "float", []),
    }


def test_initialisers_become_assignments():
    found = outline("""
    void f(double A[4]) {
        double s = 1, t, w[3] = {1, 2}, v[2][2] = {{A[0], 1}, {2, 3}}, u[] = {7};
        t = s; A[0] = t + w[0] + v[0][0] + u[0];
    }""")
    assert found[:-2] == [
        *("s = 1", "w[0] = 1", "w[1] = 2", "w[2] = 0"),
        *("v[0][0] = A[0]", "v[0][1] = 1", "v[1][0] = 2", "v[1][1] = 3", "u[0] = 7"),
    ]


def test_locals_that_name_an_index_are_read_as_it():
    found = outline("""
    void f(int n, double A[n], int B[n]) {
        int last = n - 1;
        for (int i = 0; i <= last; i++) {
            int mirror = last - i, far = B[i], moved = i;
            A[mirror] = A[far] + moved;
            moved++;
        }
    }""")
    assert found == [
        "for i = 0 to ($n - 1)",
        "  far = B[@i]",
        "  moved = @i",
        "  A[(($n - 1) - @i)] = (A[far] + moved)",
        "  moved = (moved + 1)",
    ]


# -- values ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    CASES["values"],
)
def test_values(value, expected):
    c = "void f(double x[1], double a, double b, double c, double d, double e, int k, int m) {"
    assert outline(f"{c} x[0] = {value}; }}") == [f"x[0] = {expected}"]


def test_the_types_of_literals():
    (s,) = parse_c("x = f(1, 1u, 1L, 1ULL, 3000000000, 0xffffffff, 1.0, 1.0f, 2e3F);").body
    assert [str(a.type) for a in s.value.arguments] == [
        *("int32", "uint32", "int64", "uint64", "int64", "uint32", "double", "float", "float")
    ]


def test_unsigned_values_wrap_around_as_in_c():
    found = outline("""
    void f(size_t n, unsigned m, double A[n]) {
        for (size_t i = 1; i < n; i++) A[i - 1] = A[(size_t) i] + (i - m);
    }""")
    assert found[-1] == "  A[(uint64(@i) - 1)] = (A[uint64(@i)] + (uint64(@i) - m))"


def test_bools_hold_0_or_1():
    assert outline("bool b; b = x; b = x > 1;") == ["b = (x != 0)", "b = (x > 1)"]


def test_division_stays_cs_own():
    (loop,) = parse_c("for (int i = 0; i < n; i++) A[i / 2][i % 3] = 0;").body
    assert [type(s).__name__ + s.op for s in loop.body[0].target.subscripts] == [
        "Binary/",
        "Binary%",
    ]


# -- functions ---------------------------------------------------------------------------


def test_pure_functions_become_defines():
    p = parse_c("""
    static inline float square(float x) { return x * x; }
    double twice(double y) { return 2 * square(y); }
    int imin(int a, int b);
    int max(int a, int b) { return a > b ? a : b; }
    void f(int n, double A[n]) { for (int i = 0; i < max(n, 3); i++) A[i] = twice(A[i]); }
    """)
    assert p.name == "f"
    defined = {f.name: (f.arguments, text(f.body)) for f in p.functions}
    assert defined == {
        "square": (("x",), "float((float(x) * float(x)))"),
        "twice": (("y",), "double((2 * square(double(y))))"),
    }
    assert list(defined) == ["square", "twice"]
    assert list(lines(p.body)) == [
        "for i = 0 to (max($n, 3) - 1)",
        "  A[@i] = twice(A[@i])",
    ]


TWO = "void f(double x[1]) { x[0] = 1; }\nvoid g(double y[1]) { y[0] = 2; }"


def test_one_of_several_functions():
    assert parse_c(TWO, function="g").name == "g"
    assert outline(TWO, function="f") == ["x[0] = 1"]
    assert parse_c(TWO, "other", "f").name == "other"
    assert outline(TWO.replace("y[0] = 2;", "\n#pragma scop\ny[0] = 2;\n#pragma endscop\n")) == [
        "y[0] = 2"
    ]


def test_what_is_seen_after_the_region_is_no_temporary():
    p = parse_c("""
    int main(void) {
        int n = 100;
        double A[n], B[n], C[n], last = 0, sum, seen, step = 0.5;
        double *heap = (double *) malloc(n * 8), *given = get(n);
        static double kept;
        scanf("%lf", &seen);
        init(n, A);
    #pragma scop
        double local = 3, result = 4;
        for (int i = 0; i < n; i++) {
            A[i] = C[i] * step; B[i] = A[i]; last = local; sum = last; seen = sum; kept = seen;
            heap[i] = sum; given[i] = heap[i]; result = kept;
        }
    #pragma endscop
        print_array(n, B);
        free(heap); free(given);
        return sum + result;
    }""")
    assert p.parameters == ("n",)
    assert {name: role for name, (role, _, _) in declared(p).items()} == {
        "A": "temp",
        "B": None,
        "C": None,  # only read
        "last": "temp",
        "sum": None,
        "seen": None,  # its address is known elsewhere
        "step": None,
        "heap": "temp",
        "given": None,
        "kept": None,
        "local": "temp",
        "result": None,
    }


def test_what_a_whole_function_returns_is_no_temporary():
    p = parse_c(
        "double f(int n, double A[n]) { double s = 0, t; for (int i = 0; i < n; i++) "
        "{ t = A[i]; s += t; } return s; }"
    )
    assert {n: role for n, (role, _, _) in declared(p).items()} == {
        "A": None,
        "s": None,
        "t": "temp",
    }


def test_a_region_inside_a_loop_has_the_loops_iterator_as_a_parameter():
    p = parse_c("""
    void f(int n, double A[n], double s) {
        for (int t = 0; t < n; t++) {
            int m = t + 1;
    #pragma scop
            for (int i = t; i < m; i++) { s = A[i]; A[i] = s; }
    #pragma endscop
            work(A);
        }
    }""")
    assert p.parameters == ("n", "t", "m")
    assert declared(p)["s"][0] is None  # the next iteration may see it


# -- preprocessing and places ------------------------------------------------------------


def test_macros_for_bounds():
    c = """
    #define N 100
    #define LAST(n) ((n) - 1)
    #define min(a, b) ((a) < (b) ? (a) : (b))
    #define floord(n, d) floor(((double)(n)) / ((double)(d)))
    #ifdef BIG
    #define T 1000
    #else
    #define T 4
    #endif
    for (int t = 0; t < T; t++)
        for (int i = 0; i <= min(LAST(N), floord(n, 32)); i++)
            A[t][i] = __LINE__;
    """
    assert outline(c) == [
        "for t = 0 to 3",
        "  for i = 0 to min((100 - 1), ($n floord 32))",
        "    A[@t][@i] = 13",
    ]


def test_every_node_knows_its_place():
    c = "#define TWO 2\r\nfor (int i = 0; i < n; i++)\r\n\tS: A[i] = (B[i + TWO]) * -f(c);\r\n"
    (loop,) = parse_c(c).body
    (s,) = loop.body
    assert loop.span.text == "for (int i = 0; i < n; i++)"
    assert s.span.text == "A[i] = (B[i + TWO]) * -f(c)"
    assert (s.span.line, s.span.column) == (3, 5)
    places = {x.span.text for x in syntax.walk(s.value)}
    assert places == {
        *("(B[i + TWO]) * -f(c)", "B[i + TWO]", "i + TWO", "i", "TWO", "-f(c)", "f(c)", "c")
    }
    assert loop.upper.left.span.text == "n"


def test_declarations_know_their_place():
    p = parse_c("void f(int n, double A[n]) { double x, s = 1; A[0] = s; }")
    assert [(d.name, d.span.text, d.span.column) for d in p.declarations] == [
        ("A", "A", 22),
        ("s", "s", 40),
    ]
