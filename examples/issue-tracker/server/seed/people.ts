/** The password of all seeded users. */
export const PASSWORD = 'correct horse'

/** The users and their teams. */
export const PEOPLE = [
  { name: 'Ada Moreau', email: 'ada@example.com', teams: { Orchard: 'ADMIN' } },
  { name: 'Ben Okafor', email: 'ben@example.com', teams: { Orchard: 'MEMBER' } },
  { name: 'Noor Haddad', email: 'noor@example.com', teams: { Orchard: 'MEMBER', Harbour: 'MEMBER' } },
  { name: 'Cleo Lindqvist', email: 'cleo@example.com', teams: { Harbour: 'ADMIN' } },
  { name: 'Dan Petrov', email: 'dan@example.com', teams: { Harbour: 'MEMBER' } },
] as const

/** The teams with their projects and the colors of their labels. */
export const TEAMS = {
  Orchard: {
    projects: { WEB: 'Web shop', PAY: 'Payments' },
    labels: { bug: '#c2410c', design: '#7c3aed', speed: '#0f766e', customer: '#1d4ed8' },
  },
  Harbour: {
    projects: { IOS: 'Courier app', MAP: 'Maps' },
    labels: { bug: '#be123c', research: '#4d7c0f' },
  },
} as const

/** The name of a team. */
export type TeamName = keyof typeof TEAMS
