// Whether an object keeps the rules that its class declares with class-validator's decorators. That looks its rules up, and makes an error
// to be filled, for every property at each call; here those of a class are read once, and the first that is broken ends it.
import { getMetadataStorage, ValidationTypes } from 'class-validator';

type Rule = (value: unknown, object: object) => boolean;

interface RulesOfProperty {
  /** When it is not looked at, such as one that may be left out. */
  readonly conditions: Rule[];
  readonly rules: Rule[];
}

/** By property; undefined where a class has rules of a kind that is not known here. */
type RulesOfClass = ReadonlyMap<string, RulesOfProperty> | undefined;

const known = new WeakMap<object, { readonly rules: RulesOfClass }>();

/** False also where it cannot be told: class-validator then says. What no rule names is not allowed. */
export function keepsRules(object: object): boolean {
  const type: unknown = object.constructor;
  if (typeof type !== 'function') return false;
  let found = known.get(type);
  if (found === undefined) known.set(type, (found = { rules: readRules(type) }));
  const { rules } = found;
  if (rules === undefined) return false;
  for (const name of Object.keys(object)) if (!rules.has(name)) return false;
  for (const [name, { conditions, rules: ofProperty }] of rules) {
    const value: unknown = object[name as keyof typeof object];
    const holds: (rule: Rule) => boolean = (rule) => rule(value, object);
    if (conditions.every(holds) && !ofProperty.every(holds)) return false;
  }
  return true;
}

const isObjectThatKeepsRules = (value: unknown): boolean =>
  value instanceof Object && !Array.isArray(value) && keepsRules(value);

function readRules(type: Function): RulesOfClass {
  const storage = getMetadataStorage();
  const found = new Map<string, RulesOfProperty>();
  for (const metadata of storage.getTargetValidationMetadatas(type, '', false, false)) {
    const { propertyName: property, constraints, constraintCls } = metadata;
    const ofProperty = found.get(property) ?? { conditions: [], rules: [] };
    found.set(property, ofProperty);
    const isNested = metadata.type === ValidationTypes.NESTED_VALIDATION;
    if ((metadata.each && !isNested) || metadata.validateIf !== undefined) return undefined;
    switch (metadata.type) {
      case ValidationTypes.WHITELIST:
        break;
      case ValidationTypes.CONDITIONAL_VALIDATION: {
        const [condition] = constraints as [(object: object, value: unknown) => boolean];
        ofProperty.conditions.push((value, object) => condition(object, value));
        break;
      }
      case ValidationTypes.NESTED_VALIDATION:
        ofProperty.rules.push((value) =>
          metadata.each && Array.isArray(value)
            ? value.every(isObjectThatKeepsRules)
            : value === undefined || isObjectThatKeepsRules(value),
        );
        break;
      case ValidationTypes.CUSTOM_VALIDATION:
        for (const { instance } of storage.getTargetValidatorConstraints(constraintCls))
          ofProperty.rules.push((value, object) => {
            const about = { targetName: object.constructor.name, property, object, value, constraints };
            return instance.validate(value, about) === true; // a promise is not known yet
          });
        break;
      default:
        return undefined;
    }
  }
  return found;
}
