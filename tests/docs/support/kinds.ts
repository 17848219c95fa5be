import { BLOCKS, type Block } from './pages.js'

/**
 * How a block is checked. Each kind has a test beside this folder:
 * - `source` `<!-- from: <path> -->`: these lines stand in a file of the repository; a line with `…` alone leaves some out
 * - `recipe` `<!-- recipe: src/<name>.ts -->`: is the file `examples/workspace/<name>.ts`, and compiles in an app of that schema
 * - `emitted` `<!-- out: <path> -->`: the file that the README's schema gives
 * - `typescript`: compiles beside the routes of the README's schema
 * - `schema`: generates
 * - `template` `<!-- template: <name>.hbs -->`: the page's schemas generate with it
 * - `says` `<!-- says -->`: what the generator says of the schema above it
 * - `tree` `<!-- tree -->`: the files that the README's schema gives
 * - `drift` `<!-- drift: <line> -->`: what `check` prints where the README's schema has got that line more
 * - `document drift` `<!-- document drift: <line> -->`: what `check` prints of its REST document then; a line with `…` alone leaves some out
 * - `changes` `<!-- changes: <edits> -->`: what `changes` prints where the README's schema is edited so; `-<line>` takes a line away,
 *   `+<line>` adds one, `<text> => <text>` replaces; `<!-- comment: <edits> -->` is the same as the comment of a pull request
 * - `accepting` `<!-- accepts -->`: lines of a file that accepts changes, each with the id of a change
 * - `requests`: curl commands that the demo answers
 * - `answer` `<!-- answer -->`, `<!-- answer: 404 -->`: what the last of the requests above it is answered with
 * - `commands`: commands that exist
 * - `grammar` `<!-- grammar -->`: has every function of a filter expression, and no other
 * - `json`, `yaml`: can be read; commands in `run` exist
 */
export type Kind =
  | 'source'
  | 'recipe'
  | 'emitted'
  | 'typescript'
  | 'schema'
  | 'template'
  | 'says'
  | 'tree'
  | 'drift'
  | 'document drift'
  | 'changes'
  | 'accepting'
  | 'grammar'
  | 'requests'
  | 'answer'
  | 'commands'
  | 'json'
  | 'yaml'

const BY_MARKER: readonly (readonly [pattern: RegExp, kind: Kind])[] = [
  [/^from: /, 'source'],
  [/^recipe: src\/\S+\.ts$/, 'recipe'],
  [/^out: /, 'emitted'],
  [/^template: /, 'template'],
  [/^says$/, 'says'],
  [/^tree$/, 'tree'],
  [/^drift: /, 'drift'],
  [/^document drift: /, 'document drift'],
  [/^answer(: \d{3})?$/, 'answer'],
  [/^(app|adapter: [a-z-]+|file: \S+)$/, 'typescript'],
  [/^in$/, 'schema'],
  [/^grammar$/, 'grammar'],
  [/^(changes|comment): /, 'changes'],
  [/^accepts$/, 'accepting'],
  [/^workflow$/, 'yaml'],
]

/** How a block is checked; undefined where nothing checks it. */
export function kindOf(block: Pick<Block, 'language' | 'marker' | 'text'>): Kind | undefined {
  if (block.marker !== '') return BY_MARKER.find(([pattern]) => pattern.test(block.marker))?.[1]
  switch (block.language) {
    case 'ts':
      return 'typescript'
    case 'prisma':
      return 'schema'
    case 'sh':
      return /^curl /m.test(block.text) ? 'requests' : 'commands'
    case 'json':
      return 'json'
    case 'yaml':
      return 'yaml'
    default:
      return undefined
  }
}

/** All blocks of a kind. */
export function blocksOfKind(kind: Kind): readonly Block[] {
  return BLOCKS.filter((block) => kindOf(block) === kind)
}

/** The block above another one on the same page. */
export function blockAbove(block: Block): Block | undefined {
  const above = BLOCKS[BLOCKS.indexOf(block) - 1]
  return above?.page === block.page ? above : undefined
}
