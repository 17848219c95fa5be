import type { Database } from '../support/databases.js'
import { describeContract } from './describe-contract.js'

const INT = 2 ** 31 - 1
const BIGINT = 2n ** 63n - 1n

describeContract('arithmetic', ({ rule, rpc }) => {
  const prepare = ({ orm }: Database) => orm.comment.create({ data: { postId: 1, seq: 1000, body: 'x' } })
  const where = { postId_seq: { postId: 1, seq: 1000 } }
  for (const [operation, operand, result] of [
    ['increment', INT - 1000, INT],
    ['decrement', 1000 + INT + 1, -INT - 1],
    ['decrement', -INT + 1000, INT],
    ['multiply', Math.floor(INT / 1000), Math.floor(INT / 1000) * 1000],
    ['multiply', -Math.floor((INT + 1) / 1000), -Math.floor((INT + 1) / 1000) * 1000],
    ['divide', 10, 100],
  ] as const) {
    const data = { seq: { [operation]: operand } }
    // Operands outside the range of the type are rejected before the query.
    const isAllowed = Math.abs(operand) <= INT
    rule('4.3, 7.3', `${operation} by ${operand}: responds with ${isAllowed ? 200 : 422}`, { prepare })
    if (isAllowed) rpc('comment.update', { where, data }, 200, { seq: result })
    else rpc('comment.update', { where, data }, 422)
    const step = operand + Math.sign(operand)
    if (operation === 'divide' || Math.abs(step) > INT) continue
    rule('4.3, 7.3', `${operation} by ${step}: rejects a result outside the range of Int with 422`, { prepare })
    const beyond = { seq: { [operation]: step } }
    rpc('comment.update', { where, data: beyond }, 422)
    rpc('comment.updateMany', { where: { seq: 1000 }, data: beyond }, 422)
    rpc('comment.upsert', { where, create: { postId: 1, seq: 1, body: 'x' }, update: beyond }, 422)
  }
  rule('4.3, 7.3', 'rejects a division by 0 and nested arithmetic that leaves the range of Int with 422', { prepare })
  rpc('comment.update', { where, data: { seq: { divide: 0 } } }, 422)
  const data = { seq: { increment: INT } }
  for (const comments of [{ update: { where, data } }, { updateMany: { where: { seq: 1000 }, data } }])
    rpc('post.update', { where: { id: 1 }, data: { comments } }, 422)

  const big = ({ orm }: Database) =>
    orm.category.create({ data: { name: 'big', readers: BIGINT - 1n, adPrice: '1e30' } })
  const update = (data: object) => ({ where: { name: 'big' }, data })
  rule('4.3, 7.3', 'rejects BigInt results out of range with 422', { prepare: big })
  for (const readers of [{ increment: 2n }, { multiply: -2n }]) rpc('category.update', update({ readers }), 422)
  rpc('category.update', update({ readers: { increment: 1n } }), 200, { readers: String(BIGINT) })
  rule('4.3, 7.3', 'rejects Decimal results out of range with 422', {
    prepare: big,
    on: ({ provider }) => provider === 'sqlite',
  })
  rpc('category.update', update({ adPrice: { multiply: '1e290' } }), 422)
})
