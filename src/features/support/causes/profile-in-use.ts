import { defineCause } from '../cause.ts'
import { failedWith, optionOf } from '../support-case.ts'

export const profileInUse = defineCause({
  name: 'profile-in-use',
  find(facts) {
    if (!failedWith(facts, 'PROFILE_IN_USE')) return undefined
    const profile = optionOf(facts, 'profile')
    const name =
      typeof profile === 'object' && profile !== null && 'name' in profile ? profile.name : undefined
    return {
      sureness: 0.97,
      diagnosis: 'Another call or session is saving the same profile, and only one may do so at a time.',
      advice: 'Wait until that session ends, or only load the profile with saveChanges: false.',
      fixes: name === undefined ? [] : [{ profile: { name, saveChanges: false } }],
    }
  },
})
