import { z } from 'zod'
import { defineEndpoint, envelope, ok } from '../endpoint.ts'

const removal = (path: string) =>
  defineEndpoint({
    method: 'DELETE',
    path,
    summary: 'Delete the saved browser storage of a profile',
    tag: 'Browser',
    params: z.object({ name: z.string().min(1).max(128).describe('Name of the profile.') }),
    response: envelope({}),
    errors: ['PROFILE_IN_USE'],
    async handle({ app, team, params }) {
      await app.forgetProfile(team, params.name)
      return ok({})
    },
  })

export const deleteProfile = removal('/v2/browser/profiles/{name}')
export const deleteInteractProfile = removal('/v2/interact/profiles/{name}')
