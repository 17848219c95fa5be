export type { Hooks, Style } from '../http/hooks.js'
export { hooksOf } from './define.js'
export type {
  Awaitable,
  CreateHooks,
  DeleteHooks,
  HookEvent,
  HooksByModel,
  ModelHooks,
  ModelShape,
  ReadEvent,
  ShapeOf,
  UpdateHooks,
  WriteEvent,
} from './hooks.js'
