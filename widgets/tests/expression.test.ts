import { describe, expect, it } from "vitest";
import { ExpressionError, parse } from "../src/expression";

const at = { i: 7, j: -7, N: 10 };
const message = (text: string): string => {
  try {
    parse(text)(at);
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
  }
  return "";
};

describe("expressions", () => {
  it.each([
    ["i - 1", 6], ["N-i-1", 2], ["2*i + j", 7], ["-(i + 1)", -8], ["i - -1", 8], ["- i * 2", -14],
    ["j / 2", -4], ["j % 2", 1], ["i % -2", -1], ["floord(j, 2)", -4], ["mod(j, 4)", 1],
    ["min(i, N) + max(0, j)", 7], ["2 * (3 + (i))", 20], ["N − i", 3], ["7 - 2 - 1", 4], ["16 / 4 / 2", 2],
  ])("%s", (text, value) => {
    expect(parse(text)(at)).toBe(value);
  });

  it.each([
    ["2i", "Expected an operator before “i”: write 2*i for twice i."],
    ["i +", "Expected a number or a name before the end."],
    ["", "Expected a number or a name before the end."],
    ["(i", "Expected “)” before the end."],
    ["min(i)", "Expected “,” before “)”."],
    ["k + 1", "k is not known here: use i, j, N."],
    ["toString", "toString is not known here: use i, j, N."],
    ["i; j", "“;” cannot be used here."],
    ["i / 0", "This divides by zero."],
  ])("%s is refused: %s", (text, said) => {
    expect(message(text)).toBe(said);
  });
});
