// fast-check with the same random cases in every run, so that none fails by chance. Others are looked at with a seed of their own:
// `SEED=$RANDOM npm run test:thorough -- fuzz`.
import * as fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['SEED'] ?? 1) });

export { fc };
