export type { Hooks, Style } from '../http/hooks-mount.js'
export { createHooks } from './define.js'
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
} from './types.js'
