/* Convolution with any kernel of 2 radius + 1 cells in each direction; outside the picture, its
   nearest pixel counts. */
#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))

void convolution(int rows, int columns, int radius,
                 const float image[rows][columns],
                 const float kernel[2 * radius + 1][2 * radius + 1],
                 float result[rows][columns])
{
    float sum, pixel;
#pragma scop
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
clear:      sum = 0;
            for (int di = -radius; di <= radius; di++)
                for (int dj = -radius; dj <= radius; dj++) {
load:               pixel = image[CLAMP(i + di, 0, rows - 1)][CLAMP(j + dj, 0, columns - 1)];
add:                sum += pixel * kernel[di + radius][dj + radius];
                }
store:      result[i][j] = sum;
        }
#pragma endscop
}
