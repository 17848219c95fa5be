import type { AnyApi, Member, OperationsOf, RelationsOf, TargetOf } from '../api.js'

/** The nested writes of a relation that its target model does not allow. */
export type UnavailableWrites<A extends AnyApi, M, R> =
  | WritesWithout<'create', OperationsOf<A, TargetOf<A, M, R>>, 'create' | 'createMany' | 'connectOrCreate' | 'upsert'>
  | WritesWithout<'update', OperationsOf<A, TargetOf<A, M, R>>, 'update' | 'updateMany' | 'upsert' | LinksOf<A, M, R>>
  | WritesWithout<'delete', OperationsOf<A, TargetOf<A, M, R>>, 'delete' | 'deleteMany'>

type WritesWithout<Required, O, Writes> = Required extends O ? never : Writes

/** If the target model has the foreign key, connecting changes its rows and therefore requires its `update` operation. */
type LinksOf<A extends AnyApi, M, R> =
  Member<RelationsOf<A, M>, R> extends { readonly foreignKey: object }
    ? never
    : Member<RelationsOf<A, TargetOf<A, M, R>>, Member<Member<RelationsOf<A, M>, R>, 'inverse'>> extends {
          readonly foreignKey: object
        }
      ? 'connect' | 'connectOrCreate' | 'disconnect' | 'set'
      : never
