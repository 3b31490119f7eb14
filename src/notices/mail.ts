// A mail as text and as HTML, with the same content. What comes from callers is made plain by `safe()` before it gets here, and escaped here.

export interface MailItem {
  readonly title: string;
  readonly lines: readonly string[];
  readonly link?: readonly [label: string, url: string];
}

export interface Mail {
  readonly subject: string;
  readonly intro: readonly string[];
  readonly parts: readonly { readonly heading?: string; readonly items: readonly MailItem[] }[];
  /** `and 312 more`. */
  readonly more?: string | undefined;
  readonly button?: readonly [label: string, url: string];
  readonly foot: readonly string[];
  readonly unsubscribe?: readonly [label: string, url: string];
}

export function writeTextMail({ subject, intro, parts, more, button, foot, unsubscribe }: Mail): string {
  const items = parts.flatMap(({ heading, items: of }) => [
    ...(heading === undefined || of.length === 0 ? [] : [`${heading}\n${'-'.repeat(heading.length)}`]),
    ...of.map(({ title, lines, link }) =>
      joined('\n', [`* ${title}`, ...lines.map((line) => `  ${line}`), link && `  ${link[1]}`]),
    ),
  ]);
  const head = [subject, ...intro].join('\n');
  const end = joined('\n', [...foot, unsubscribe?.join(': ')]);
  return joined('\n\n', [head, ...items, more, button?.join(': '), `-- \n${end}`]);
}

/** Without what there is not. */
function joined(by: string, parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(by);
}

const STYLE = `
  body { margin: 0; padding: 24px 12px; background: #f4f5f7; color: #1c2430; font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
  .mail { max-width: 568px; margin: 0 auto; padding: 20px 24px; background: #fff; border: 1px solid #dfe3e8; border-radius: 8px; overflow-wrap: anywhere; }
  h1 { margin: 0 0 4px; font-size: 20px; line-height: 1.3; }
  h2 { margin: 24px 0 0; font-size: 15px; }
  p { margin: 8px 0; }
  .item { padding: 12px 0; border-top: 1px solid #dfe3e8; }
  .item b { font-size: 16px; }
  .item p { margin: 2px 0; font-size: 14px; color: #4a5565; }
  a { color: #0b57a4; }
  .button { display: inline-block; margin: 12px 0; padding: 10px 18px; border-radius: 6px; background: #0b57a4; color: #fff; text-decoration: none; }
  .foot, .foot a { font-size: 13px; color: #5b6675; }
  .foot { margin-top: 20px; padding-top: 12px; border-top: 1px solid #dfe3e8; }
  @media (prefers-color-scheme: dark) {
    body { background: #12161c; color: #e6e9ee; }
    .mail { background: #1b212a; border-color: #323b47; }
    .item, .foot { border-color: #323b47; }
    .item p { color: #b3bdca; }
    a { color: #7db8f5; }
    .button { background: #2f7fd0; color: #fff; }
    .foot, .foot a { color: #9aa6b4; }
  }
`;

export function writeHtmlMail(mail: Mail, language: string): string {
  const { subject, intro, parts, more, button, foot, unsubscribe } = mail;
  const items = parts.flatMap(({ heading, items: of }) => [
    ...(heading === undefined || of.length === 0 ? [] : [`<h2>${escaped(heading)}</h2>`]),
    ...of.map(
      ({ title, lines, link }) =>
        `<div class="item"><b>${escaped(title)}</b>${lines.map(paragraph).join('')}${link === undefined ? '' : `<p>${anchor(link)}</p>`}</div>`,
    ),
  ]);
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title><style>${STYLE}</style></head>
<body><div class="mail">
<h1>${escaped(subject)}</h1>
${intro.map(paragraph).join('\n')}
${items.join('\n')}
${more === undefined ? '' : paragraph(more)}
${button === undefined ? '' : `<p>${anchor(button, ' class="button"')}</p>`}
<div class="foot">${foot.map(paragraph).join('')}${unsubscribe === undefined ? '' : `<p>${anchor(unsubscribe)}</p>`}</div>
</div></body></html>
`;
}

const paragraph = (line: string): string => `<p>${escaped(line)}</p>`;

const anchor = ([label, url]: readonly [string, string], attributes = ''): string =>
  `<a href="${escaped(url)}"${attributes}>${escaped(label)}</a>`;

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
