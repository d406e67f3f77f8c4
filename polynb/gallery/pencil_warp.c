/* An affine warp: a picture sheared by a quarter of a pixel a row, and interpolated. Outside the
   picture, its nearest pixel counts. */
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void warp(int rows, int columns,
          const float image[rows][columns], float sheared[rows][columns])
{
#pragma scop
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            float part, left, right;
weight:     part = 0.25f * (i % 4);
near:       left = image[i][MIN(j + i / 4, columns - 1)];
far:        right = image[i][MIN(j + i / 4 + 1, columns - 1)];
store:      sheared[i][j] = (1 - part) * left + part * right;
        }
#pragma endscop
}
