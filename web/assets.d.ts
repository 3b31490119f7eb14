// What the bundler makes of files that are not TypeScript.

/** The outline of the land as an SVG path: see land.js. */
declare module 'land-path' {
  const path: string;
  export default path;
}

declare module '*.css';
