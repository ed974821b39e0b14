import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Loading } from '../../ui/page.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { type OperatorTeam, useDeleteTeam, useTeams } from './queries.ts'
import { TeamForm } from './team-form.tsx'

const numberFormat = new Intl.NumberFormat()

export function Teams() {
  const { data, error, isPending } = useTeams()
  const [editedTeam, setEditedTeam] = useState<OperatorTeam | 'new'>()
  return (
    <section className="panel stack" aria-labelledby="teams">
      <div className="page-head panel-head">
        <h2 id="teams">Teams</h2>
        <Button icon="add" onClick={() => setEditedTeam('new')}>
          New team
        </Button>
      </div>
      {isPending && <Loading label="Loading teams" />}
      {error && <ErrorNotice error={error} />}
      {data && <TeamTable teams={data.rows} onEdit={setEditedTeam} />}
      {data?.isTruncated && <p className="quiet">Only the first {data.rows.length} teams are shown.</p>}
      {editedTeam !== undefined && (
        <TeamForm
          {...(editedTeam === 'new' ? {} : { team: editedTeam })}
          onClose={() => setEditedTeam(undefined)}
        />
      )}
    </section>
  )
}

function TeamTable({ teams, onEdit }: { teams: OperatorTeam[]; onEdit: (team: OperatorTeam) => void }) {
  return (
    <TableFrame name="Table of teams">
      <thead>
        <tr>
          {['Team', 'Credits left', 'Used in 30 days', 'Concurrency', 'Keys', 'Created'].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          <th scope="col">
            <span className="hidden">Change or delete</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {teams.map((team) => (
          <tr key={team.id}>
            <th scope="row">{team.name}</th>
            <td>{team.balance === null ? 'unlimited' : numberFormat.format(team.balance)}</td>
            <td>{numberFormat.format(team.creditsUsed)}</td>
            <td>
              {team.concurrency}
              {team.hasDefaultConcurrency && <span className="quiet"> (default)</span>}
            </td>
            <td>{team.keys}</td>
            <td>
              <Moment at={team.createdAt} />
            </td>
            <td>
              <div className="row">
                <Button aria-label={`Change team ${team.name}`} onClick={() => onEdit(team)}>
                  Change
                </Button>
                <DeleteTeam team={team} />
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}

function DeleteTeam({ team: { id, name, keys } }: { team: OperatorTeam }) {
  const remove = useDeleteTeam()
  return (
    <ConfirmButton
      name="Delete"
      fullName={`Delete team ${name}`}
      confirmLabel="Delete team"
      cancelLabel="Cancel"
      title={`Delete team ${name}?`}
      confirmationText={name}
      onConfirm={() => remove(id)}
    >
      <p>
        Its keys ({keys}) stop working within a second, its jobs are cancelled and its browsers end. Its
        results, stored pages, files, profiles, tracked versions and credits are removed within half an hour.
        This cannot be undone.
      </p>
    </ConfirmButton>
  )
}
