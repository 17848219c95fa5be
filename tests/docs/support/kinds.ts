import { BLOCKS, type Block } from './pages.js'

/**
 * How a block is checked. Each kind has a test next to this folder:
 * - `source` `<!-- from: <path> -->`: consecutive lines of a file in the repository; a line with only `…` marks omitted lines
 * - `recipe` `<!-- recipe: src/<name>.ts -->`: the file `examples/workspace/<name>.ts`, which compiles in an app with that schema
 * - `project` `<!-- authentication: <path> -->`, `<!-- cookbook: <path> -->`, `<!-- tutorial: <path> -->`: a file of an app that
 *   `tests/docs/<app>.test.ts` compiles and runs
 * - `step` `<!-- step: run -->`: a part of a step of the tutorial, which `tests/docs/tutorial.test.ts` follows: commands (`run`,
 *   `run, exit <code>`, `start`), blocks of a schema (`edit <path>`), `curl` commands (`request`), and expected results (`output`,
 *   `response <status>`)
 * - `emitted` `<!-- out: <path> -->`: the emitted file for the README's schema
 * - `typescript`: compiles together with the routes of the README's schema
 * - `schema`: the generator accepts it
 * - `template` `<!-- template: <name>.hbs -->`: the schemas of the page generate with it
 * - `says` `<!-- says -->`: the generator's output for the schema above it
 * - `tree` `<!-- tree -->`: the emitted files for the README's schema
 * - `drift` `<!-- drift: <line> -->`: the output of `check` after that line was added to the README's schema
 * - `document drift` `<!-- document drift: <line> -->`: the output of `check` for its REST document; a line with only `…` marks
 *   omitted lines
 * - `changes` `<!-- changes: <edits> -->`: the output of `changes` after edits of the README's schema: `-<line>` removes a line, `+<line>`
 *   adds one, `<text> => <text>` replaces; `<!-- comment: <edits> -->` is the output as the comment of a pull request
 * - `accepting` `<!-- accepts -->`: lines of a file that accepts changes, each with the id of a change
 * - `requests`: curl commands to which the demo responds
 * - `answer` `<!-- answer -->`, `<!-- answer: 404 -->`: the response to the last request above it
 * - `commands`: existing commands
 * - `grammar` `<!-- grammar -->`: contains exactly the functions of filter expressions
 * - `json`, `yaml`: can be parsed; the commands in `run` exist
 */
export type Kind =
  | 'source'
  | 'recipe'
  | 'project'
  | 'step'
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
  [/^(authentication|cookbook|tutorial): \S+$/, 'project'],
  [/^step: (run(, exit \d+)?|start|edit \S+|request|response \d{3}|output)$/, 'step'],
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

/** Returns how a block is checked, or undefined if it is not. */
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

/** Returns all blocks of a kind. */
export function blocksOfKind(kind: Kind): readonly Block[] {
  return BLOCKS.filter((block) => kindOf(block) === kind)
}

/** Returns the block above another one on the same page. */
export function blockAbove(block: Block): Block | undefined {
  const above = BLOCKS[BLOCKS.indexOf(block) - 1]
  return above?.page === block.page ? above : undefined
}
