/* A picture at twice its size: each new pixel is interpolated between its four neighbours.
   The picture has one more row and column, for the neighbours of its last pixels. */
static float mix(float a, float b, float weight)
{
    return a + (b - a) * weight;
}

void resize(int rows, int columns,
            const unsigned char original[rows + 1][columns + 1],
            unsigned char resized[2 * rows][2 * columns])
{
#pragma scop
    for (int i = 0; i < 2 * rows; i++)
        for (int j = 0; j < 2 * columns; j++) {
            float down, right, upper, lower;
weight_i:   down = 0.5f * (i % 2);
weight_j:   right = 0.5f * (j % 2);
above:      upper = mix(original[i / 2][j / 2], original[i / 2][j / 2 + 1], right);
below:      lower = mix(original[i / 2 + 1][j / 2], original[i / 2 + 1][j / 2 + 1], right);
store:      resized[i][j] = mix(upper, lower, down) + 0.5f;
        }
#pragma endscop
}
