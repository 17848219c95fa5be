import { describeContract } from './describe-contract.js'

const post = { slug: 'new', title: 'New' }
const tag = (name: string) => ({ data: { type: 'tag', attributes: { name } } })

describeContract('database errors', [
  {
    section: '7.1, 7.3',
    rule: 'rejects a duplicate unique value with 409 and names the field',
    rest: [
      ['POST /tag', tag('news'), 409, 'unique-violation /data/attributes/name'],
      ['POST /post', { data: { type: 'post', attributes: { ...post, slug: 'one' } } }, 409, /slug/],
    ],
    rpc: [
      ['tag.create', { data: { name: 'news' } }, 409, 'P2002'],
      ['post.create', { data: { ...post, slug: 'one' } }, 409, /^A record with the same slug already exists\.$/],
      ['post.createMany', { data: [post, { ...post, slug: 'one' }] }, 409, 'P2002'],
    ],
  },
  {
    section: '4.1, 4.3',
    rule: 'responds to a missing row with 404, or with null in findUnique',
    rest: [['/post/99', undefined, 404, 'not-found']],
    rpc: [
      ['post.findUnique', { where: { id: 99 } }, 200, null],
      ['post.findUniqueOrThrow', { where: { id: 99 } }, 404, { code: 'P2025', orm: true }],
    ],
  },
])
