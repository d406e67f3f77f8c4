/* Dilation: each pixel becomes the brightest one around it, where the mask is set. */
#define MAX(a, b) ((a) > (b) ? (a) : (b))

void dilate(int rows, int columns, int height, int width,
            const unsigned char image[rows + height - 1][columns + width - 1],
            const unsigned char mask[height][width],
            unsigned char dilated[rows][columns])
{
    unsigned char brightest, near;
#pragma scop
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
clear:      brightest = 0;
            for (int di = 0; di < height; di++)
                for (int dj = 0; dj < width; dj++) {
look:               near = mask[di][dj] ? image[i + di][j + dj] : 0;
compare:            brightest = MAX(brightest, near);
                }
store:      dilated[i][j] = brightest;
        }
#pragma endscop
}
