"""Matrix multiplication after PRE, in the paper's times (section 4.4)."""

BEFORE = {"S1": "0,0,0", "S8": "2,0,0", "S9": "3,0,0"}
INSIDE = {"S2": 1, "S3": 3, "S4": 5, "S5": 7, "S6": 8, "S7": 9}


def theta(outer="{i}", inner="{j}"):
    """θ of all statements, in the 2d+1 encoding, padded with zeros: `(0, i, 0, j, 1, k, 8)`."""
    outer, inner = outer.format(i="i", j="j"), inner.format(i="i", j="j")
    single = [f"{s}[i,j] -> [0,{outer},0,{inner},{rest}]" for s, rest in BEFORE.items()]
    loop = [f"{s}[i,j,k] -> [0,{outer},0,{inner},1,k,{p}]" for s, p in INSIDE.items()]
    return f"{{ {'; '.join(single + loop)} }}"


ORIGINAL = theta()
INTERCHANGED = theta("{j}", "{i}")


def distributed():
    """S1 of all i and j first."""
    return ORIGINAL.replace("S1[i,j] -> [0,", "S1[i,j] -> [-1,")


def k_outermost():
    single = [f"{s}[i,j] -> [{int(r[0])},0,i,j,0]" for s, r in BEFORE.items()]
    loop = [f"{s}[i,j,k] -> [1,k,i,j,{p}]" for s, p in INSIDE.items()]
    return f"{{ {'; '.join(single + loop)} }}"
