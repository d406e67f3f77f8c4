/* Colours to brightness and two differences of colour (RGB to YCbCr), in fixed point. */
#define ONE 16384
#define HALF 8192

void color(int rows, int columns,
           const unsigned char rgb[rows][columns][3], unsigned char ycc[rows][columns][3])
{
#pragma scop
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            int red, green, blue, luma, chroma;
load_red:   red = rgb[i][j][0];
load_green: green = rgb[i][j][1];
load_blue:  blue = rgb[i][j][2];
brightness: luma = (4899 * red + 9617 * green + 1868 * blue + HALF) / ONE;
store_luma: ycc[i][j][0] = luma;
blueness:   chroma = 9241 * (blue - luma) + 128 * ONE;
store_blue: ycc[i][j][1] = (chroma + HALF) / ONE;
redness:    chroma = 11682 * (red - luma) + 128 * ONE;
store_red:  ycc[i][j][2] = (chroma + HALF) / ONE;
        }
#pragma endscop
}
