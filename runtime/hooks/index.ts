export type { Hooks } from './define.js'
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
  Style,
  UpdateHooks,
  WriteEvent,
} from './hooks.js'
