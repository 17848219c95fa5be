import type { Workspace } from './workspace.js'

export type Row = Readonly<Record<string, unknown>>

/** All rows of a database, by model and id. Join tables are not included, because apps do not see their rows. */
export type Dump = ReadonlyMap<string, ReadonlyMap<string, Row>>

/** A row that differs between two dumps. */
export interface Difference {
  readonly model: string
  readonly kind: 'create' | 'update' | 'delete'
  readonly id: string
  readonly before: Row | undefined
  readonly row: Row | undefined
}

/** The models of the workspace. */
export const MODELS = [
  'Attachment',
  'AuditEntry',
  'Comment',
  'Document',
  'Folder',
  'Label',
  'Person',
  'Review',
  'Team',
] as const

/** Returns the id of a row as text. */
export function idOf(model: string, row: Row): string {
  return model === 'Review' ? `${String(row['documentId'])}_${String(row['reviewerId'])}` : String(row['id'])
}

/** Reads every row. */
export async function dumpOf(orm: Workspace['orm']): Promise<Dump> {
  const tables: Readonly<Record<(typeof MODELS)[number], () => PromiseLike<readonly Row[]>>> = {
    Attachment: () => orm.attachment.findMany(),
    AuditEntry: () => orm.auditEntry.findMany(),
    Comment: () => orm.comment.findMany(),
    Document: () => orm.document.findMany(),
    Folder: () => orm.folder.findMany(),
    Label: () => orm.label.findMany(),
    Person: () => orm.person.findMany(),
    Review: () => orm.review.findMany(),
    Team: () => orm.team.findMany(),
  }
  const dump = new Map<string, ReadonlyMap<string, Row>>()
  for (const model of MODELS) {
    dump.set(model, new Map((await tables[model]()).map((row) => [idOf(model, row), row])))
  }
  return dump
}

/** Returns the rows that differ between two dumps, by model and id. */
export function differences(first: Dump, second: Dump): Difference[] {
  return MODELS.flatMap((model) => {
    const before = first.get(model) ?? new Map<string, Row>()
    const after = second.get(model) ?? new Map<string, Row>()
    return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((id): Difference[] => {
      const [was, is] = [before.get(id), after.get(id)]
      if (was && is && textOf(was) === textOf(is)) return []
      return [{ model, kind: was ? (is ? 'update' : 'delete') : 'create', id, before: was, row: is }]
    })
  })
}

function textOf(row: Row): string {
  return JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
