import type { Command } from './command.ts'
import { anyOption, codeOptions, json } from './options.ts'

const sessionId = { name: 'ID', description: 'id of the session' } as const

export const browserCommand: Command = {
  name: 'browser',
  summary: 'remote browsers: open, list, run code, close',
  commands: [
    {
      name: 'open',
      summary: 'open a browser and print its id and URLs',
      options: [
        { name: 'ttl', kind: 'number', value: 'SECONDS', description: 'lifetime, 30 to 3600', field: 'ttl' },
        {
          name: 'activity-ttl',
          kind: 'number',
          value: 'SECONDS',
          description: 'end after this time without activity',
          field: 'activityTtl',
        },
        {
          name: 'profile',
          kind: 'text',
          value: 'NAME',
          description: 'storage shared by sessions with this name',
          field: 'profile.name',
        },
        ...[json, ...anyOption],
      ],
      examples: ['winnow browser open --ttl 600'],
      load: () => import('./commands/browser-open.ts'),
    },
    {
      name: 'list',
      summary: 'list the browsers of the team, newest first',
      options: [
        {
          name: 'status',
          kind: 'text',
          value: 'NAME',
          choices: ['active', 'destroyed', 'error'],
          description: 'only those in this state',
          field: 'status',
        },
        json,
      ],
      load: () => import('./commands/browser-list.ts'),
    },
    {
      name: 'run',
      summary: 'run code in a browser',
      arguments: [
        sessionId,
        { name: 'CODE', description: 'code to run; - reads it from standard input', isOptional: true },
      ],
      options: [...codeOptions, json, ...anyOption],
      examples: [`winnow browser run ID "await page.goto('https://example.com')"`],
      load: () => import('./commands/browser-run.ts'),
    },
    {
      name: 'close',
      summary: 'end a browser and print its cost',
      arguments: [sessionId],
      options: [json],
      load: () => import('./commands/browser-close.ts'),
    },
  ],
}

export const keysCommand: Command = {
  name: 'keys',
  summary: "keys of the installation, with an operator's key: create, list, revoke",
  commands: [
    {
      name: 'create',
      summary: 'create a key and print it once',
      options: [
        { name: 'team', kind: 'text', value: 'NAME', description: 'team of the key' },
        { name: 'new-team', kind: 'flag', description: 'create the team if it does not exist' },
        { name: 'operator', kind: 'flag', description: 'allow the key to manage the installation' },
        json,
      ],
      examples: ['winnow keys create --team research --new-team'],
      load: () => import('./commands/keys-create.ts'),
    },
    {
      name: 'list',
      summary: 'list keys by their first characters, oldest first',
      options: [{ name: 'team', kind: 'text', value: 'NAME', description: 'only keys of this team' }, json],
      load: () => import('./commands/keys-list.ts'),
    },
    {
      name: 'revoke',
      summary: 'revoke a key',
      arguments: [{ name: 'ID', description: 'id of the key from winnow keys list' }],
      options: [json],
      load: () => import('./commands/keys-revoke.ts'),
    },
  ],
}
