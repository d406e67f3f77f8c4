"""The bilateral grid: smoothing that keeps edges (Chen, Paris, Durand, 2007).

Pixels are summed up in a coarse grid of position and brightness, which is blurred; each pixel
then looks up the mean at its own position and brightness, so that what lies across an edge, being
of another brightness, has no part in it. (An example of Halide; PolyMage, benchmark 3.)
"""

from __future__ import annotations

PROGRAM = """\
// Smooth a grey picture of R rows and C columns, with values from 0 to 1, but not its edges. It
// has a frame of 24 pixels before and 28 behind. Cell [i][j] of the grid is at pixel [8*i][8*j];
// channel 0 holds sums of values, channel 1 numbers of pixels, for each of 11 degrees of
// brightness, with 2 empty planes before and 3 behind.
param R, C; assume R >= 1 and C >= 1;
input float img[R+52][C+52];
temp float grid[2][(R+23)/8+4][(C+23)/8+4][16], blurz[2][(R+23)/8+4][(C+23)/8+4][12];
temp float blurx[2][(R+23)/8+2][(C+23)/8+4][12], blury[2][(R+23)/8+2][(C+23)/8+2][12];
temp float interpolated[2][R+24][C+24];
output float filtered[R+52][C+52];

for c = 0 to 1 do
  for i = 1 to (R+23)/8+3 do
    for j = 1 to (C+23)/8+3 do
      for k = 0 to 15 do
        empty: grid[c][i][j][k] = 0;
      done
    done
  done
done
for i = 1 to (R+23)/8+3 do
  for j = 1 to (C+23)/8+3 do
    for di = -4 to 4 do
      for dj = -4 to 4 do
        add_value: grid[0][i][j][2 + int32(10 * PIXEL + 0.5f)]
          = grid[0][i][j][2 + int32(10 * PIXEL + 0.5f)] + PIXEL;
        add_one: grid[1][i][j][2 + int32(10 * PIXEL + 0.5f)]
          = grid[1][i][j][2 + int32(10 * PIXEL + 0.5f)] + 1;
      done
    done
  done
done
for c = 0 to 1 do
  for i = 1 to (R+23)/8+3 do
    for j = 1 to (C+23)/8+3 do
      for k = 0 to 11 do
        blur_z: blurz[c][i][j][k] = grid[c][i][j][k] + 4 * grid[c][i][j][k+1]
          + 6 * grid[c][i][j][k+2] + 4 * grid[c][i][j][k+3] + grid[c][i][j][k+4];
      done
    done
  done
done
for c = 0 to 1 do
  for i = 3 to (R+23)/8+1 do
    for j = 1 to (C+23)/8+3 do
      for k = 0 to 11 do
        blur_x: blurx[c][i][j][k] = blurz[c][i-2][j][k] + 4 * blurz[c][i-1][j][k]
          + 6 * blurz[c][i][j][k] + 4 * blurz[c][i+1][j][k] + blurz[c][i+2][j][k];
      done
    done
  done
done
for c = 0 to 1 do
  for i = 3 to (R+23)/8+1 do
    for j = 3 to (C+23)/8+1 do
      for k = 0 to 11 do
        blur_y: blury[c][i][j][k] = blurx[c][i][j-2][k] + 4 * blurx[c][i][j-1][k]
          + 6 * blurx[c][i][j][k] + 4 * blurx[c][i][j+1][k] + blurx[c][i][j+2][k];
      done
    done
  done
done
for c = 0 to 1 do
  for x = 24 to R+23 do
    for y = 24 to C+23 do
      look_up: interpolated[c][x][y] = INTERPOLATED;
    done
  done
done
for x = 24 to R+23 do
  for y = 24 to C+23 do
    normalise: filtered[x][y] = interpolated[1][x][y] > 0
      ? interpolated[0][x][y] / interpolated[1][x][y] : img[x][y];
  done
done
"""


def program() -> str:
    """Histograms, three blurs, interpolation between the eight nearest cells, normalisation."""
    text = PROGRAM.replace("PIXEL", "img[8*i+di][8*j+dj]")
    return text.replace("INTERPOLATED", _interpolated())


def _interpolated() -> str:
    """Along x, then y, then brightness; as PolyMage has it, without names for its parts."""
    row, column = "float(x % 8) / 8", "float(y % 8) / 8"
    brightness = "10 * img[x][y]"

    def at(i: str, j: str, k: str) -> str:
        return f"blury[c][{i}][{j}][{k}]"

    def plane(k: str) -> str:
        left, right = (_between(at("x/8", j, k), at("x/8+1", j, k), row) for j in ("y/8", "y/8+1"))
        return _between(left, right, column)

    lower = f"int32({brightness})"
    return _between(plane(lower), plane(f"{lower}+1"), f"({brightness} - {lower})")


def _between(a: str, b: str, share: str) -> str:
    return f"({a} + {share} * ({b} - {a}))"
