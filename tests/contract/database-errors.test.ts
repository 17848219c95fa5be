import { describeContract } from './describe-contract.js'

const post = { slug: 'new', title: 'New' }
const tag = (name: string) => ({ data: { type: 'tag', attributes: { name } } })

describeContract('database errors', ({ rule, rest, rpc }) => {
  rule('7.1, 7.3', 'rejects a duplicate unique value with 409 and names the field')
  rest('POST /tag', tag('news'), 409, 'unique-violation /data/attributes/name')
  rest('POST /post', { data: { type: 'post', attributes: { ...post, slug: 'one' } } }, 409, /slug/)
  rpc('tag.create', { data: { name: 'news' } }, 409, 'P2002')
  rpc('post.create', { data: { ...post, slug: 'one' } }, 409, /^A record with the same slug already exists\.$/)
})
