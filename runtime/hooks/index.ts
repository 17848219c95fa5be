export type { Hooks } from '../http/client-accessors.js'
export type { Style } from '../http/telemetry.js'
export { createHooks } from './create-hooks.js'
export type {
  Awaitable,
  CreateHooks,
  DeleteHooks,
  HookEvent,
  HookDefinitions,
  ModelHooks,
  ModelTypes,
  ReadEvent,
  ModelTypesOf,
  UpdateHooks,
  WriteEvent,
} from './hook-types.js'
