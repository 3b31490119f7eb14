// Rounds decimals as people do: 1.005 × 100 is 100.49999999999999 in binary, so it is cut to fifteen digits first.
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  if (Math.abs(value) >= 1e15) return value; // no decimals are left
  return Math.round(Number((value * scale).toPrecision(15))) / scale;
}
