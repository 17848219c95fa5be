import { defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { archive } from './archive.js'
import { audit } from './audit.js'
import type { Caller } from './caller.js'
import { documents } from './documents.js'
import { mails } from './mails.js'
import { passwords } from './passwords.js'
import { tenants } from './tenants.js'

export const hooks = defineHooks<Caller>(tenants, archive, documents, mails, passwords, audit)
