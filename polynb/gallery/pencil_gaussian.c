/* Gaussian smoothing in two passes, along the rows and along the columns, with one scalar for the
   sums of both. The picture has a frame of `radius` pixels. */
void gaussian(int rows, int columns, int radius,
              const float image[rows + 2 * radius][columns + 2 * radius],
              const float weight[2 * radius + 1],
              float smooth[rows][columns])
{
    float wide[rows + 2 * radius][columns], sum;
#pragma scop
    for (int i = 0; i < rows + 2 * radius; i++)
        for (int j = 0; j < columns; j++) {
clear_row:  sum = 0;
            for (int d = 0; d <= 2 * radius; d++)
add_row:        sum += weight[d] * image[i][j + d];
store_row:  wide[i][j] = sum;
        }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
clear:      sum = 0;
            for (int d = 0; d <= 2 * radius; d++)
add:            sum += weight[d] * wide[i + d][j];
store:      smooth[i][j] = sum;
        }
#pragma endscop
}
