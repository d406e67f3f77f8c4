/* How often each of 256 brightnesses occurs in a picture. */
void histogram(int rows, int columns,
               const unsigned char image[rows][columns], int count[256])
{
    unsigned char bin;
#pragma scop
    for (int b = 0; b < 256; b++)
clear:  count[b] = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
look:       bin = image[i][j];
add:        count[bin] += 1;
        }
#pragma endscop
}
