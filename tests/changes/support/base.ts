/** The schema that the cases edit. */
export const BASE = `
enum Status {
  DRAFT
  PUBLISHED
  ARCHIVED
}

model User {
  id       Int      @id @default(autoincrement())
  /// @zod.email().max(40)
  email    String   @unique
  name     String?
  /// @api.readOnly
  level    Int      @default(0)
  /// @api.writeOnly
  password String
  /// @api.hidden
  notes    String?
  age      Int      @default(18)
  posts    Post[]
  profile  Profile?
}

model Profile {
  id     Int     @id @default(autoincrement())
  bio    String?
  userId Int     @unique
  user   User    @relation(fields: [userId], references: [id], onDelete: Cascade)
}

model Post {
  id        Int       @id @default(autoincrement())
  slug      String    @unique
  /// @zod.min(1).max(50)
  title     String
  content   String?
  status    Status    @default(DRAFT)
  views     Int       @default(0)
  rating    Float?
  madeAt    DateTime  @default(now())
  author    User?     @relation(fields: [authorId], references: [id])
  authorId  Int?
  tags      Tag[]
}

model Tag {
  id    Int    @id @default(autoincrement())
  label String
  posts Post[]
}

/// @api.hidden
model Secret {
  id   Int    @id @default(autoincrement())
  code String
}

/// @api.operations(list, get)
model Log {
  id   Int    @id @default(autoincrement())
  line String
}
`
