import { type AppHooks, defineHooks } from '../../../fixtures/workspace/expected/hooks.js'
import type { Hooks } from '../../../runtime/hooks/index.js'
import { idOf, MODELS, type Row } from './dump.js'

/** The event of any hook. */
interface Event {
  readonly client: object
  readonly where?: object
  readonly data?: object
  readonly row: Row
  readonly before?: Row
  readonly count?: number
}

/** Records rows that are written individually and rows that are written as a set, with hooks on all models. */
export interface SetRecorder {
  readonly hooks: Hooks
  /**
   * All reported rows, for example `Comment.update 1`. Updated and deleted rows are recorded before the write, created rows
   * after it.
   */
  rows(): string[]
  /** The number of rows per set, for example `Comment.update 2`. */
  sets(step: 'after' | 'afterCommit'): string[]
  clear(): void
}

/** @param instead data that replaces the data of the request if comments are updated as a set */
export function setRecorder(instead?: object): SetRecorder {
  const rows: string[] = []
  const sets = { after: [] as string[], afterCommit: [] as string[] }
  const many = (model: string, kind: string) => ({
    async before({ client, where, data }: Event) {
      // Loaded with the hook's own client, at the moment of the write.
      const delegate = Reflect.get(client, `${model.charAt(0).toLowerCase()}${model.slice(1)}`)
      const found: readonly Row[] = await delegate.findMany({ where })
      rows.push(...found.map((row) => `${model}.${kind} ${idOf(model, row)}`))
      return model === 'Comment' && instead ? instead : data
    },
    after: ({ count }: Event) => void sets.after.push(`${model}.${kind} ${count}`),
    afterCommit: ({ count }: Event) => void sets.afterCommit.push(`${model}.${kind} ${count}`),
  })
  const one = (model: string, kind: string) => ({
    before({ row, data }: Event) {
      if (row) rows.push(`${model}.${kind} ${idOf(model, row)}`)
      return data
    },
  })
  const ofModel = (model: string) => ({
    create: { after: ({ row }: Event) => void rows.push(`${model}.create ${idOf(model, row)}`) },
    update: { ...one(model, 'update'), many: many(model, 'update') },
    delete: { ...one(model, 'delete'), many: many(model, 'delete') },
  })
  return {
    hooks: defineHooks(Object.fromEntries(MODELS.map((model) => [model, ofModel(model)])) as AppHooks),
    rows: () => [...rows],
    sets: (step) => [...sets[step]],
    clear() {
      rows.length = 0
      sets.after.length = 0
      sets.afterCommit.length = 0
    },
  }
}
