import { describe, expect, it } from 'vitest'

import { generateFrom, SCHEMA_HEAD } from '../support/generate.js'

const HEAD_WITH_GRAPH = SCHEMA_HEAD.replace('"./routes"', '"./routes"\n  files = ["graph"]')
const MODELS = `
model Team {
  id       Int       @id @default(autoincrement())
  projects Project[]
  audits   Audit[]
}
model Project {
  id     Int     @id @default(autoincrement())
  team   Team    @relation(fields: [teamId], references: [id], onDelete: Cascade)
  teamId Int
  issues Issue[]
  logo   Logo?
}
model Issue {
  id        Int      @id @default(autoincrement())
  project   Project? @relation(fields: [projectId], references: [id])
  projectId Int?
}
model Logo {
  id        Int     @id @default(autoincrement())
  /// @api.hidden
  project   Project @relation(fields: [projectId], references: [id])
  projectId Int     @unique
}
/// @api.hidden
model Audit {
  id     Int  @id @default(autoincrement())
  team   Team @relation(fields: [teamId], references: [id], onDelete: Cascade)
  teamId Int
}
`

/** Returns an emitted file by its name. */
async function fileOf(name: string, options = ''): Promise<string> {
  const head = SCHEMA_HEAD.replace('"routewright"', `"routewright"\n  ${options}`)
  return (await generateFrom(head + MODELS)).byPath.get(name) ?? ''
}

describe('client.ts', () => {
  it('has one line per model and only type imports', async () => {
    const text = await fileOf('client.ts')
    expect(text.match(/^ {2}\w+: \{.*/gm)).toEqual([
      '  Issue: { resource: typeof import("./issue/resource.ts").issueResource; payload: Prisma.$IssuePayload };',
      '  Logo: { resource: typeof import("./logo/resource.ts").logoResource; payload: Prisma.$LogoPayload };',
      '  Project: { resource: typeof import("./project/resource.ts").projectResource; payload: Prisma.$ProjectPayload };',
      '  Team: { resource: typeof import("./team/resource.ts").teamResource; payload: Prisma.$TeamPayload };',
    ])
    // The root of the runtime and Hono are not imported, because the compiler would load them in client code.
    const imported = [...text.matchAll(/^import type \{[^}]*\} from "(.+)";$/gm)].map(([, from]) => from)
    expect(imported).toEqual(['@routewright/runtime/computed', expect.stringMatching(/client/)])
    expect(text.match(/^import /gm)).toHaveLength(imported.length)
    expect(text).not.toMatch(/@routewright\/client"|Audit/)
  })

  it.each([
    ['', '"rest" | "rpc"'],
    ['styles = ["rpc"]', '"rpc"'],
    ['styles = ["rest"]', '"rest"'],
  ])('%s: lists the styles', async (options, styles) => {
    expect(await fileOf('client.ts', options)).toContain(`  styles: ${styles};\n`)
  })
})

describe('graph.ts', () => {
  it('lists exposed relations and delete effects of each model', async () => {
    const text = await fileOf('graph.ts', 'files = ["graph"]')
    expect(text.match(/^ {2}\w+: .*/gm)).toEqual([
      '  Issue: { relations: { project: "Project" }, keys: { project: { projectId: "id" } } },',
      '  Logo: { relations: {}, keys: {} },',
      // The other end of the logo relation is hidden.
      '  Project: { relations: { team: "Team", issues: "Issue", logo: "Logo" }, keys: { team: { teamId: "id" }, issues: "project" }, detaches: ["Issue"] },',
      '  Team: { relations: { projects: "Project" }, keys: { projects: "team" }, deletes: ["Project"] },',
    ])
    expect(text).not.toMatch(/Audit|import/)
  })

  it('lists custom ids, server-set fields and changes of other models', async () => {
    const models = `
model Seat {
  row    Int
  number Int
  /// @api.readOnly
  state  String    @default("free")
  /// @api.readOnly
  since  DateTime  @default(now())
  kept   DateTime? @updatedAt
  guest  Guest?
  @@id([row, number])
}
model Guest {
  name   String @id
  seat   Seat?  @relation(fields: [row, number], references: [row, number])
  row    Int?
  number Int?
  host   Guest?  @relation("Hosts", fields: [hostName], references: [name])
  hostName String? @default("nobody")
  guests Guest[] @relation("Hosts")
  @@unique([row, number])
}
`
    const text = (await generateFrom(HEAD_WITH_GRAPH + models)).byPath.get('graph.ts') ?? ''
    expect(text.match(/^ {2}\w+: .*/gm)).toEqual([
      '  Guest: { relations: { seat: "Seat", host: "Guest", guests: "Guest" }, keys: { host: { hostName: "name" }, guests: "host" }, id: ["name"], touches: ["hostName"], detaches: ["Guest"] },',
      '  Seat: { relations: { guest: "Guest" }, keys: {}, id: ["row", "number"], touches: ["state", "kept"], detaches: ["Guest"] },',
    ])
  })
})
