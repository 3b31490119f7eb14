// A button that does something at once: what sends a form is not one of these.
import type { JSX } from 'preact';
import { Icon, type IconName } from './icons.js';

type Props = Omit<JSX.IntrinsicElements['button'], 'type' | 'icon'> & { readonly icon?: IconName };

export function Button({ icon, children, ...attributes }: Props) {
  return (
    <button type="button" {...attributes}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
