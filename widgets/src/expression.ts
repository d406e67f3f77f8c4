// Affine expressions as learners write them: integers, names, + - * / (floor) %, parentheses,
// floord, mod, min and max. Parsed once, then evaluated for each sample.

export type Values = Readonly<Record<string, number>>;
export type Expression = (values: Values) => number;

/** Its message is shown to the learner as it is. */
export class ExpressionError extends Error {}

const divide = (a: number, b: number): number => {
  if (b === 0) throw new ExpressionError("This divides by zero.");
  return Math.floor(a / b);
};
const modulo = (a: number, b: number): number => a - b * divide(a, b);

type Operation = (a: number, b: number) => number;
const OPERATIONS: Readonly<Record<string, Operation>> = {
  "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "/": divide, "%": modulo,
};
const FUNCTIONS: Readonly<Record<string, Operation>> = {
  floord: divide, mod: modulo, min: Math.min, max: Math.max,
};
const LEVELS = [["+", "-"], ["*", "/", "%"]];

export function parse(text: string): Expression {
  const tokens = tokenized(text);
  let at = 0;
  const found = (): string => (at < tokens.length ? `“${tokens[at]}”` : "the end");
  const expect = (token: string): void => {
    if (tokens[at] !== token) throw new ExpressionError(`Expected “${token}” before ${found()}.`);
    at += 1;
  };

  function operation(level: number): Expression {
    const operators = LEVELS[level];
    if (!operators) return unary();
    let left = operation(level + 1);
    for (let token = tokens[at]; token && operators.includes(token); token = tokens[at]) {
      at += 1;
      const [apply, a, b] = [OPERATIONS[token]!, left, operation(level + 1)];
      left = (values) => apply(a(values), b(values));
    }
    return left;
  }

  function unary(): Expression {
    const token = tokens[at];
    if (token !== "-" && token !== "+") return atom();
    at += 1;
    const inner = unary();
    return token === "-" ? (values) => -inner(values) : inner;
  }

  function atom(): Expression {
    const token = tokens[at];
    if (token === undefined || !/^[(\w]/.test(token)) {
      throw new ExpressionError(`Expected a number or a name before ${found()}.`);
    }
    at += 1;
    if (token === "(") {
      const inner = operation(0);
      expect(")");
      return inner;
    }
    if (/^\d/.test(token)) return () => Number(token);
    const apply = tokens[at] === "(" ? FUNCTIONS[token] : undefined;
    return apply ? call(apply) : (values) => valueOf(token, values);
  }

  function call(apply: Operation): Expression {
    expect("(");
    const a = operation(0);
    expect(",");
    const b = operation(0);
    expect(")");
    return (values) => apply(a(values), b(values));
  }

  const whole = operation(0);
  if (at < tokens.length) {
    throw new ExpressionError(`Expected an operator before ${found()}: write 2*i for twice i.`);
  }
  return whole;
}

function tokenized(text: string): string[] {
  const clean = text.replace(/[−–]/g, "-").replace(/[·×]/g, "*");
  const tokens = clean.match(/\d+|[A-Za-z_][\w']*|[^\s]/g) ?? [];
  const strange = tokens.find((token) => !/^([\w']+|[-+*/%(),])$/.test(token));
  if (strange) throw new ExpressionError(`“${strange}” cannot be used here.`);
  return tokens;
}

function valueOf(name: string, values: Values): number {
  const value = Object.prototype.hasOwnProperty.call(values, name) ? values[name] : undefined;
  if (value !== undefined) return value;
  const known = Object.keys(values).join(", ") || "numbers";
  throw new ExpressionError(`${name} is not known here: use ${known}.`);
}
