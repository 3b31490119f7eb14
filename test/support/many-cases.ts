// For `npm run test:thorough`: properties that do not say how many cases they try, try many.
import * as fc from 'fast-check';

fc.configureGlobal({ numRuns: 500 });
