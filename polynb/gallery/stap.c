/* Space-time adaptive processing of radar echoes: pulse compression (each echo is correlated with
   the chirp that was sent), the covariance of the antennas, the energy that the weights of each
   Doppler bin let through, and the contrast of each bin in its range. Complex numbers are pairs of
   floats; the same two scalars hold all sums. */
void stap(int antennas, int pulses, int ranges, int taps,
          const float echo_re[antennas][pulses][ranges + taps],
          const float echo_im[antennas][pulses][ranges + taps],
          const float chirp_re[taps], const float chirp_im[taps],
          const float weight_re[pulses][antennas][pulses],
          const float weight_im[pulses][antennas][pulses],
          float cov_re[antennas][antennas], float cov_im[antennas][antennas],
          float contrast[pulses][ranges])
{
    float sharp_re[antennas][pulses][ranges], sharp_im[antennas][pulses][ranges];
    float energy[pulses][ranges];
    float re, im;
#pragma scop
    for (int a = 0; a < antennas; a++)
        for (int p = 0; p < pulses; p++)
            for (int r = 0; r < ranges; r++) {
P1:             re = 0;
P2:             im = 0;
                for (int t = 0; t < taps; t++) {
P3:                 re += echo_re[a][p][r + t] * chirp_re[t] + echo_im[a][p][r + t] * chirp_im[t];
P4:                 im += echo_im[a][p][r + t] * chirp_re[t] - echo_re[a][p][r + t] * chirp_im[t];
                }
P5:             sharp_re[a][p][r] = re;
P6:             sharp_im[a][p][r] = im;
            }

    for (int a = 0; a < antennas; a++)
        for (int b = 0; b < antennas; b++) {
C1:         re = 0;
C2:         im = 0;
            for (int p = 0; p < pulses; p++)
                for (int r = 0; r < ranges; r++) {
C3:                 re += sharp_re[a][p][r] * sharp_re[b][p][r]
                        + sharp_im[a][p][r] * sharp_im[b][p][r];
C4:                 im += sharp_im[a][p][r] * sharp_re[b][p][r]
                        - sharp_re[a][p][r] * sharp_im[b][p][r];
                }
C5:         cov_re[a][b] = re / (pulses * ranges);
C6:         cov_im[a][b] = im / (pulses * ranges);
        }

    for (int d = 0; d < pulses; d++)
        for (int r = 0; r < ranges; r++) {
W1:         re = 0;
W2:         im = 0;
            for (int a = 0; a < antennas; a++)
                for (int p = 0; p < pulses; p++) {
W3:                 re += weight_re[d][a][p] * sharp_re[a][p][r]
                        + weight_im[d][a][p] * sharp_im[a][p][r];
W4:                 im += weight_re[d][a][p] * sharp_im[a][p][r]
                        - weight_im[d][a][p] * sharp_re[a][p][r];
                }
W5:         energy[d][r] = re * re + im * im;
        }

    for (int r = 0; r < ranges; r++) {
D1:     re = 0;
        for (int d = 0; d < pulses; d++)
D2:         re += energy[d][r];
        for (int d = 0; d < pulses; d++)
D3:         contrast[d][r] = energy[d][r] / re;
    }
#pragma endscop
}
