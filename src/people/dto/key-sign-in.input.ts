// The body of POST /auth/key.
import { IsText, IsTrueOrFalse, MayBeLeftOut } from '../../common/validation/field-rules.js';

export class KeySignInInput {
  /** Any text: a wrong one is refused as a wrong key. */
  @IsText()
  key: string;

  @MayBeLeftOut()
  @IsTrueOrFalse()
  stay?: boolean;
}
