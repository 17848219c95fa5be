export type { Allows, CheckedAction } from '../orm/allows.js'
export { PolicyError, type PolicyReason } from '../errors/policy-error.js'
export { type PolicyExtension, createPolicies } from './extension.js'
export type { AbilityLike, Action } from './rules/rules.js'
