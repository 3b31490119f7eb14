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
