import { abilityBuilder, withPolicies } from '../../../fixtures/workspace/expected/policy.js'
import { MODELS } from './dump.js'
import type { Workspace } from './workspace.js'

type Orm = Workspace['orm']

/** Rules that every row matches, but that only the database can evaluate. */
const EVERY_ROW = { Review: { documentId: { gt: 0 } }, others: { id: { gt: 0 } } }

/** Rules of a client: no policy, rules that allow everything, or rules that every row matches. */
export const RULE_MODES: readonly (readonly [what: string, make: (orm: Orm) => Orm])[] = [
  ['no policy', (orm) => orm],
  ['rules without conditions', (orm) => policed(orm, ({ can }) => can('manage', 'all'))],
  [
    'rules with conditions',
    (orm) =>
      policed(orm, ({ can }) => {
        for (const model of MODELS) {
          if (model === 'Review') can('manage', model, EVERY_ROW.Review)
          else can('manage', model, EVERY_ROW.others)
        }
      }),
  ],
]

/** Creates a client under rules. */
export function policed(orm: Orm, define: (builder: ReturnType<typeof abilityBuilder>) => void): Orm {
  const builder = abilityBuilder()
  define(builder)
  return orm.$extends(withPolicies(builder.build())) as unknown as Orm
}
