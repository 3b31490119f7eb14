// What the bundler makes of files that are not TypeScript.

/** What the map is drawn of: see land.js. */
declare module 'map:*' {
  const text: string;
  export default text;
}

declare module '*.css';
