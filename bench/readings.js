// The readings that devices send, and that are imported to compare.

/** Reading number n of all is of tank n, n + 1 … in turn, a second later every time round. */
export function readingOf(n, tanks, from, fill = 50 + (n % 40) / 10) {
  return {
    tank_id: tanks[n % tanks.length],
    created_at: new Date(from + Math.floor(n / tanks.length) * 1000).toISOString(),
    fill_percentage: fill,
  };
}
