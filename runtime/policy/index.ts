export type { Allows, CheckedAction } from '../prisma/policy-check.js'
export { PolicyError, type PolicyReason } from '../errors/policy-error.js'
export { type PolicyExtension, createPolicies } from './create-policies.js'
export type { AbilityLike, Action } from './rules/rules.js'
