import type { Prisma, PrismaClient } from '#prisma'
import { hashPassword } from '../passwords.js'
import { COMMENTS, ISSUES } from './issues.js'
import { PASSWORD, PEOPLE, type TeamName, TEAMS } from './people.js'

const HOUR = 3_600_000
const FIRST_DAY = Date.UTC(2026, 2, 2, 9)
const STATUSES = ['DONE', 'OPEN', 'IN_PROGRESS', 'OPEN', 'DONE', 'OPEN', 'IN_PROGRESS'] as const

/** Number of comments on the newest issue of each team. Others have up to three. */
const COMMENT_COUNT = 25

type Issue = ReturnType<typeof createIssueData>

/**
 * Seeds an empty database. The data is always the same, because screenshots and tests depend on it.
 * @returns whether the database was empty
 */
export async function seed(orm: PrismaClient): Promise<boolean> {
  if ((await orm.user.count()) > 0) return false
  const password = await hashPassword(PASSWORD)
  const insertRows = async (tx: Prisma.TransactionClient) => {
    const users = new Map<string, number>()
    for (const { name, email } of PEOPLE) {
      const user = await tx.user.create({ data: { name, email, password } })
      users.set(email, user.id)
    }
    await seedTeam(tx, 'Orchard', users)
    await seedTeam(tx, 'Harbour', users)
  }
  // All or nothing. A single transaction is also much faster.
  await orm.$transaction(insertRows, { timeout: 60_000 })
  return true
}

async function seedTeam(
  orm: Prisma.TransactionClient,
  name: TeamName,
  users: ReadonlyMap<string, number>,
): Promise<void> {
  const { projects, labels } = TEAMS[name]
  const members = PEOPLE.flatMap(({ email, teams }) => {
    const role = new Map<string, 'ADMIN' | 'MEMBER'>(Object.entries(teams)).get(name)
    const userId = users.get(email)
    return role && userId ? [{ userId, role }] : []
  })
  const team = await orm.team.create({
    data: {
      name,
      members: { create: members },
      projects: { create: Object.entries(projects).map(([key, name]) => ({ key, name })) },
      labels: { create: Object.entries(labels).map(([name, color]) => ({ name, color })) },
    },
    include: { projects: true, labels: true },
  })
  const people = members.map(({ userId }) => userId)
  const labelIds = team.labels.map(({ id }) => id)
  const { titles, projects: keys } = ISSUES[name]
  for (const [index, title] of titles.entries()) {
    const key = keys[index % keys.length]
    const projectId = team.projects.find((project) => project.key === key)?.id
    if (projectId === undefined) throw new Error(`There is no project ${key}.`)
    const issue = createIssueData(title, index, people)
    const { id, authorId, createdAt } = await orm.issue.create({
      data: { ...issue, projectId, ...createRelatedData(issue, index, titles.length, people, labelIds) },
    })
    // The seed bypasses the API, so no hook writes the log.
    await orm.auditLog.create({
      data: {
        at: createdAt,
        action: 'create',
        model: 'Issue',
        changes: { title },
        actorId: authorId,
        teamId: team.id,
        issueId: id,
      },
    })
  }
}

function createIssueData(title: string, index: number, people: readonly number[]) {
  const status = STATUSES[index % STATUSES.length] ?? 'OPEN'
  const createdAt = new Date(FIRST_DAY + index * 31 * HOUR)
  const isUnassigned = status === 'OPEN' && index % 4 !== 0
  return {
    title,
    status,
    description: `${title}.\n\nWhat I did: opened the page and tried it twice.\nWhat I expected: that it works.`,
    priority: 1 + ((index * 5 + 2) % 4),
    createdAt,
    updatedAt: new Date(createdAt.getTime() + (1 + (index % 5)) * HOUR),
    dueOn: index % 3 === 0 ? new Date(Date.UTC(2026, 5, 1 + index)) : null,
    authorId: pick(people, index),
    assigneeId: isUnassigned ? null : pick(people, index * 2 + 1),
  }
}

/** Returns an issue's labels, comments and attachments. */
function createRelatedData(
  issue: Issue,
  index: number,
  count: number,
  people: readonly number[],
  labelIds: readonly number[],
) {
  const isNewest = index === count - 1
  const comments = isNewest ? COMMENT_COUNT : index % 4
  const log = new TextEncoder().encode('09:00:01 start\n09:00:02 GET /cart 200\n09:00:02 POST /cart 500\n')
  return {
    attachments: {
      create: isNewest
        ? [{ name: 'what-i-saw.log', type: 'text/plain', content: log, size: log.length, uploaderId: issue.authorId }]
        : [],
    },
    labels: { connect: index % 5 === 4 ? [] : [{ id: pick(labelIds, index) }] },
    comments: {
      create: Array.from({ length: comments }, (_, nth) => ({
        text: COMMENTS[(index + nth) % COMMENTS.length] ?? '',
        createdAt: new Date(issue.createdAt.getTime() + (nth + 1) * (HOUR / 4)),
        authorId: pick(people, index + nth),
      })),
    },
  }
}

function pick(from: readonly number[], index: number): number {
  const value = from[index % from.length]
  if (value === undefined) throw new Error('There is nothing to pick from.')
  return value
}
