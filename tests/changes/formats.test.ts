import { describe, expect, it } from 'vitest'

import { type Change, type Finding, changeId } from '../../generator/changes/change.js'
import type { ApiChanges, ReportedChange } from '../../generator/changes/find-changes.js'
import { formatChangelog } from '../../generator/changes/format/changelog.js'
import { formatGithub } from '../../generator/changes/format/github.js'
import { formatJson } from '../../generator/changes/format/json.js'
import { formatMarkdown, COMMENT_MARKER } from '../../generator/changes/format/markdown.js'
import { formatText } from '../../generator/changes/format/text.js'

function change(finding: Finding & Partial<Change>, line = 7): ReportedChange {
  const location = { file: 'prisma/schema.prisma', line, removed: finding.removed === true }
  return { ...finding, id: changeId(finding), location, reviewLocation: { file: location.file, line } }
}

const EXPOSED = change({
  kind: 'exposure',
  code: 'field-added',
  model: 'User',
  member: 'nick',
  sentence: '`User.nick` is new.',
})
const BROKEN = change({
  kind: 'breaking',
  code: 'field-removed',
  model: 'User',
  member: 'name',
  sentence: '`User.name` is gone.',
  removed: true,
})
const LOOSER = change({
  kind: 'loosened',
  code: 'rule-looser',
  model: 'Post',
  member: 'title',
  sentence: '`Post.title` takes more.',
})
const HARMLESS = change({ kind: 'harmless', code: 'no-consequence', model: 'Post', sentence: '`Post`: an index.' })

function found(changes: readonly ReportedChange[], more: Partial<ApiChanges> = {}): ApiChanges {
  return { base: { commit: 'c0ffee', name: 'main' }, isNew: false, changes, notes: [], ...more }
}

const never = () => false

/** Parses a workflow command like a GitHub runner, according to GitHub's documentation and toolkit. */
function readCommand(line: string) {
  const [, level = '', properties = '', message = ''] = /^::(\w+) ?(.*?)::(.*)$/.exec(line) ?? []
  const plain = (text: string) =>
    text
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',')
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%25', '%')
  const named = properties.split(',').map((each) => each.split('=', 2))
  return {
    level,
    message: plain(message),
    ...Object.fromEntries(named.map(([name = '', value = '']) => [name, plain(value)])),
  }
}

describe('formatGithub', () => {
  it('writes one annotation per change with the level of its kind', () => {
    const text = formatGithub(found([EXPOSED, BROKEN, LOOSER, HARMLESS]), ({ kind }) => kind === 'breaking')
    expect(text.trimEnd().split('\n').map(readCommand)).toEqual([
      {
        level: 'warning',
        file: 'prisma/schema.prisma',
        line: '7',
        title: 'Newly exposed',
        message: '`User.nick` is new.\nfield-added User.nick',
      },
      {
        level: 'error',
        file: 'prisma/schema.prisma',
        line: '7',
        title: 'Breaking',
        message: '`User.name` is gone.\nfield-removed User.name',
      },
      {
        level: 'notice',
        file: 'prisma/schema.prisma',
        line: '7',
        title: 'Loosened',
        message: '`Post.title` takes more.\nrule-looser Post.title',
      },
    ])
  })

  it('escapes properties, lines and commands', () => {
    const unusual = {
      ...EXPOSED,
      sentence: '100% of a\nlong: story, ::error::',
      reviewLocation: { file: 'a,b:c%.prisma', line: 1 },
    }
    const text = formatGithub(found([unusual], { notes: ['50%\r\nmore'] }), never)
    expect(text.split('\n')).toEqual([
      '::notice::50%25%0D%0Amore',
      '::warning file=a%2Cb%3Ac%25.prisma,line=1,title=Newly exposed::100%25 of a%0Along: story, ::error::%0Afield-added User.nick',
      '',
    ])
  })

  it('writes a notice for an accepted change', () => {
    const text = formatGithub(found([{ ...BROKEN, accepted: 'nobody reads it' }]), never)
    expect(readCommand(text.trimEnd())).toMatchObject({
      level: 'notice',
      title: 'Breaking, accepted',
      message: '`User.name` is gone.\nAccepted: nobody reads it',
    })
  })
})

describe('formatMarkdown', () => {
  it('lists few changes and folds harmless ones', () => {
    expect(formatMarkdown(found([EXPOSED, BROKEN, HARMLESS]))).toBe(
      [
        COMMENT_MARKER,
        '**API changes**: 1 exposes more of the API, 1 breaks callers, 1 is harmless.',
        '',
        '- **Newly exposed**: `User.nick` is new. <sub>prisma/schema.prisma:7</sub>',
        '- **Breaking**: `User.name` is gone. <sub>prisma/schema.prisma:7, before</sub>',
        '',
        '<details><summary>Harmless (1)</summary>',
        '',
        '- `Post`: an index. <sub>prisma/schema.prisma:7</sub>',
        '',
        '</details>',
        '',
      ].join('\n'),
    )
  })

  it('folds many changes by model in order of importance', () => {
    const many = Array.from({ length: 13 }, (_, at) => (at % 2 === 0 ? EXPOSED : LOOSER))
    const text = formatMarkdown(found(many))
    expect(text.match(/<summary>.*<\/summary>/g)).toEqual([
      '<summary><b>User</b>: 7 expose more of the API</summary>',
      '<summary><b>Post</b>: 6 accept more requests</summary>',
    ])
  })

  it('truncates the output to the size of a GitHub comment', () => {
    const text = formatMarkdown(found(Array.from({ length: 3000 }, () => EXPOSED)))
    expect(text.length).toBeLessThan(65_536)
    expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length)
    expect(text).toContain('The report is truncated. Run `npx routewright changes` to see all changes.')
  })

  it('escapes mentions and markup in reasons', () => {
    const text = formatMarkdown(found([{ ...BROKEN, accepted: '@everyone <img src=x> [a](b) `c`' }]))
    expect(text).not.toMatch(/@everyone|[^\\]<img|[^\\]\[a/)
    expect(text).toContain('_Accepted: @\u200Beveryone \\<img src=x\\> \\[a\\](b) \\`c\\`_')
  })

  it('reports that nothing changes', () => {
    expect(formatMarkdown(found([]))).toBe(`${COMMENT_MARKER}\nThe API does not change.\n`)
  })
})

describe('formatJson, formatChangelog and formatText', () => {
  it('includes all changes with ids and locations in JSON', () => {
    const { base, isNew, changes } = JSON.parse(formatJson(found([EXPOSED, { ...BROKEN, accepted: 'so' }])))
    expect({ base, isNew }).toEqual({ base: { commit: 'c0ffee', name: 'main' }, isNew: false })
    expect(changes).toEqual([
      {
        kind: 'exposure',
        code: 'field-added',
        id: 'field-added User.nick',
        model: 'User',
        member: 'nick',
        sentence: '`User.nick` is new.',
        schema: { file: 'prisma/schema.prisma', line: 7 },
      },
      {
        kind: 'breaking',
        code: 'field-removed',
        id: 'field-removed User.name',
        model: 'User',
        member: 'name',
        sentence: '`User.name` is gone.',
        accepted: 'so',
        schema: { file: 'prisma/schema.prisma', line: 7, removed: true },
      },
    ])
  })

  it('lists breaking changes first in a changelog and omits harmless ones', () => {
    expect(formatChangelog(found([EXPOSED, BROKEN, LOOSER, HARMLESS]))).toBe(
      '## Unreleased\n\n### Breaking\n\n- `User.name` is gone.\n\n### Added\n\n- `User.nick` is new.\n\n### Changed\n\n- `Post.title` takes more.\n',
    )
    expect(formatChangelog(found([HARMLESS]))).toBe('## Unreleased\n\nNo changes for callers.\n')
  })

  it('includes location and acceptance of a change in text', () => {
    expect(
      formatText(found([{ ...BROKEN, accepted: 'nobody reads it', emitted: 'src/routes/user/resource.ts' }])),
    ).toContain(
      '  `User.name` is gone.\n    prisma/schema.prisma:7 (before) src/routes/user/resource.ts [field-removed User.name]\n    accepted: nobody reads it\n',
    )
  })
})
