import { useQuery, useQueryClient } from '@tanstack/react-query'
import { apiPath } from '../../../client/src/api-path.ts'
import type { GetBrowserProfilesResponse, SavedProfile } from '../../../client/src/types.ts'
import { request } from '../api/request.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Moment } from '../ui/moment.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { browserQueryKey } from './sessions.ts'

/** Profiles: saved cookies and storage of sessions and scrapes. */
export function Profiles() {
  const { data, error } = useQuery({
    queryKey: [...browserQueryKey, 'profiles'],
    queryFn: async () => (await request<GetBrowserProfilesResponse>('GET', '/v2/browser/profiles')).profiles,
  })
  return (
    <section aria-labelledby="profiles">
      <h2 id="profiles">Profiles</h2>
      {error && <ErrorNotice error={error} />}
      {data?.length === 0 && (
        <p className="quiet">
          No profiles. A session or scrape with a profile saves its cookies and storage under a name.
        </p>
      )}
      <ul className="profiles">
        {data?.map((profile) => (
          <ProfileItem key={profile.name} profile={profile} />
        ))}
      </ul>
    </section>
  )
}

function ProfileItem({ profile: { name, savedAt, inUse } }: { profile: SavedProfile }) {
  const queries = useQueryClient()
  const deleteProfile = async () => {
    await request('DELETE', apiPath('/v2/browser/profiles/{name}', { name }))
    await queries.invalidateQueries({ queryKey: browserQueryKey })
  }
  return (
    <li>
      <div>
        <strong className="profile-name">{name}</strong> {inUse && <span className="badge busy">in use</span>}
        <div className="quiet">
          {savedAt === null ? (
            'empty'
          ) : (
            <>
              saved <Moment at={savedAt} />
            </>
          )}
        </div>
      </div>
      <ConfirmButton
        name="Delete"
        fullName={`Delete the profile ${name}`}
        title={`Delete the profile “${name}”?`}
        onConfirm={deleteProfile}
      >
        <p>
          This deletes the saved cookies and storage. Later sessions and scrapes with this profile start
          signed out.
        </p>
      </ConfirmButton>
    </li>
  )
}
