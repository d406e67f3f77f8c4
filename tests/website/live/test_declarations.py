"""isl's headers are read: functions, ownership, callbacks, enumerations; and become methods."""

import pytest

from polynb.site.live.declarations import declarations, enumerations
from polynb.site.live.methods import class_name, methods

TEXT = """
enum isl_dim_type { isl_dim_cst, isl_dim_in, isl_dim_out, isl_dim_set = isl_dim_out, isl_dim_div };
typedef enum { isl_bool_error = -1, isl_bool_false = 0, isl_bool_true = 1 } isl_bool;
struct isl_set { int ref; struct { int n; } inner; };
typedef struct isl_set isl_set;
__isl_null isl_set *isl_set_free(__isl_take isl_set *set);
__isl_give isl_set *isl_set_copy(__isl_keep isl_set *set);
__isl_null isl_val *isl_val_free(__isl_take isl_val *v); __isl_give isl_val *isl_val_copy(
 __isl_keep isl_val *val);
void isl_point_free(__isl_take isl_point *p);
__isl_give isl_point *isl_point_copy(__isl_keep isl_point *p);
__isl_export
__isl_give isl_set *isl_set_intersect(
 __isl_take isl_set *set1,
 __isl_take struct isl_set *set2);
isl_bool isl_set_is_empty(__isl_keep isl_set *set) __attribute__((__deprecated__));
__isl_give isl_set *isl_set_fix_si(__isl_take isl_set *set, enum isl_dim_type type, int v);
__isl_give isl_set *isl_set_fix_val(__isl_take isl_set *set, enum isl_dim_type type,
 __isl_take isl_val *v);
isl_stat isl_set_foreach_point(__isl_keep isl_set *set,
 isl_stat (*fn)(__isl_take isl_point *pnt, void *user), void *user);
const char *isl_set_get_tuple_name(__isl_keep isl_set *set);
void isl_set_print_internal(isl_set *set, FILE *out, int indent);
unsigned long isl_ctx_get_max_operations(isl_ctx *ctx);
static inline int unrelated(void) { return 1; }
"""


@pytest.fixture(scope="module")
def found():
    return {d.name: d for d in declarations(TEXT)}


def test_ownership_is_read(found):
    one, other = found["isl_set_intersect"].arguments
    assert (one.name, one.type, one.stars, one.ownership) == ("set1", "isl_set", "*", "take")
    assert (other.name, other.type, other.ownership) == ("set2", "isl_set", "take")
    assert found["isl_set_intersect"].result.ownership == "give"
    assert found["isl_set_is_empty"].arguments[0].ownership == "keep"


def test_callbacks_and_numbers_are_read(found):
    _, function, user = found["isl_set_foreach_point"].arguments
    assert [a.type for a in function.takes] == ["isl_point", "void"]
    assert function.takes[0].ownership == "take"
    assert user.name == "user"
    assert found["isl_ctx_get_max_operations"].result.type == "unsigned long"
    assert found["isl_set_get_tuple_name"].result.type == "char"


def test_members_of_enumerations_have_cs_values():
    dims = enumerations(TEXT)["isl_dim_type"]
    assert dims == {
        "isl_dim_cst": 0,
        "isl_dim_in": 1,
        "isl_dim_out": 2,
        "isl_dim_set": 2,
        "isl_dim_div": 3,
    }
    assert enumerations(TEXT)["isl_bool"]["isl_bool_error"] == -1


def test_methods_are_those_of_islpy():
    of_set = {m.name: m for m in methods(declarations(TEXT), enumerations(TEXT))["set"]}
    assert set(of_set) == {"intersect", "is_empty", "fix_val", "foreach_point", "get_tuple_name"}
    assert of_set["fix_val"].kinds == ("object", "enum", "val")
    assert of_set["foreach_point"].kinds == ("object", "callback", "user")
    assert of_set["is_empty"].result == "bool"


@pytest.mark.parametrize(
    ("kind", "name"),
    [("union_pw_multi_aff", "UnionPwMultiAff"), ("ctx", "Context"), ("qpolynomial", "QPolynomial")],
)
def test_classes_are_named_as_in_islpy(kind, name):
    assert class_name(kind) == name
