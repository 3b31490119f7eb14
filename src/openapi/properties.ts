// Descriptions that fields of several responses share, for @ApiProperty.
export const TEXT_OR_NULL = { type: 'string', nullable: true } as const;
export const INSTANT = { type: 'string', format: 'date-time' } as const;
export const FILL = { type: 'number', minimum: 0, maximum: 100 } as const;
export const COUNT = { type: 'integer', minimum: 0 } as const;
export const TANK_ID = {
  description: 'Identifier of the tank.',
  example: '019b7a6e-31c8-7f10-8a3e-0d6f1b2c3d4e',
} as const;

/** Of the field `object`, which names the kind of a response. */
export const kind = <Name extends string>(name: Name) =>
  ({ type: 'string', enum: [name], description: `Always \`${name}\`.`, example: name }) as const;
