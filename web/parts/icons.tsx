// Small signs, each of its own shape, so that colour is never all there is to tell them apart.

export const SHAPES = {
  low: 'M8 14.5 1.5 3h13z',
  empty: 'M8 10.5 2 1h12zM2 14.5h12',
  due: 'M8 2a6 6 0 1 1-.01 0M8 4.8V8l2.2 1.5',
  silent: 'M2 6.2a9 9 0 0 1 12 0M4.5 9a5.5 5.5 0 0 1 7 0M8 12.5v.01M2 14 14 2',
  reporting: 'M2 6.2a9 9 0 0 1 12 0M4.5 9a5.5 5.5 0 0 1 7 0M8 12.5v.01',
  never: 'M8 2a6 6 0 1 1-.01 0M8 5v3.5M8 11v.01',
  ok: 'm2.5 8.5 4 4 7-9',
  refill: 'M8 14V3M3.5 7.5 8 3l4.5 4.5',
  back: 'M13 8H3m4.5-4.5L3 8l4.5 4.5',
  download: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  low_battery: 'M1.5 5h11v6h-11zM14.5 7v2M4 7.5v1',
  weak_signal: 'M2.5 13v-2M6.5 13V8M10.5 13v.01M14 13v.01',
  fleet: 'M3 4.5c0-1.4 10-1.4 10 0v7c0 1.4-10 1.4-10 0zM3 4.5c0 1.4 10 1.4 10 0',
  runs: 'M1.5 4h8v7.5h-8zM9.5 7h3l2 2.5v2h-5M4.5 13.5v.01M11.5 13.5v.01',
  events: 'M4 11V7a4 4 0 0 1 8 0v4l1.5 1.5h-11zM7 14.7h2',
  customers: 'M8 8a3 3 0 1 1 .01 0M2.5 14.5c.5-5 10.5-5 11 0',
  settings: 'M2 4.5h6M12 4.5h2M10 3v3M2 11.5h2M8 11.5h6M6 10v3',
  add: 'M8 3v10M3 8h10',
  edit: 'm3 13 .6-3L11 2.5 13.5 5 6 12.5z',
  way: 'M8 14.5C4.5 10.5 3.5 8.5 3.5 6.5a4.5 4.5 0 0 1 9 0c0 2-1 4-4.5 8M8 6.5v.01',
  call: 'm4 2 2 3.5L4.5 7c1 2.5 2 3.5 4.5 4.5l1.5-1.5 3.5 2c-.5 2-2 2.5-3.5 2C6 12.5 3.5 10 2 5.5 1.5 4 2 2.5 4 2z',
  print: 'M4.5 6V2h7v4M4.5 12H2V6.5h12V12h-2.5M4.5 10h7v4h-7z',
  order: 'M3 13.5v.01M13 2.5v.01M3 11V5.5a2.5 2.5 0 0 1 5 0v5a2.5 2.5 0 0 0 5 0V5',
  warning: 'M8 1.5 15 14H1zM8 6v3.5M8 11.7v.01',
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
