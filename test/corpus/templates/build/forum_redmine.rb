# Pages of a tracker with boards on Redmine, as Debian packages it. Runs with `bin/rails runner`.
require 'json'
require 'fileutils'

data = JSON.parse(File.read('/srv/data.json'))
forum, list = data['forum'], data['list']
Redmine::DefaultData::Loader.load('en') if Role.where(builtin: 0).empty?
Setting.host_name = 'redmine.example.com'
Setting.app_title = forum['name']
Setting.date_format = '%Y-%m-%d'
Setting.time_format = '%H:%M'
project = Project.find_by(identifier: 'workshop') || Project.create!(name: 'Workshop', identifier: 'workshop',
  is_public: true, trackers: Tracker.all, enabled_module_names: %w[issue_tracking boards])

people = Hash.new do |known, name|
  user = User.find_by(login: name) || User.new(firstname: name, lastname: 'Member', mail: "#{name}@example.com").tap do |made|
    made.login = name
    made.password = 'corpus-password'
    made.save!
  end
  known[name] = user
end
board = project.boards.first || Board.create!(project: project, name: forum['boards'][0]['name'], description: forum['boards'][0]['about'])
if board.messages.empty?
  forum['topics'].each do |topic|
    first = nil
    topic['posts'].each do |said|
      made = Message.create!(board: board, parent: first, author: people[said['author']],
        subject: (first ? 'RE: ' : '') + topic['title'], content: said['text'].join("\n\n"))
      made.update_columns(created_on: said['date'], updated_on: said['date'])
      first ||= made
    end
  end
  list['tickets'].each do |given|
    Issue.create!(project: project, tracker: Tracker.first, status: IssueStatus.first, priority: IssuePriority.first,
      author: people[given['owner']], assigned_to: nil, subject: given['title'], description: given['note'])
  end
  forum['topics'][0]['posts'][1, 3].each do |said|
    note = Issue.first.init_journal(people[said['author']], said['text'].join("\n\n"))
    note.save!
    note.update_columns(created_on: said['date'])
  end
end

FileUtils.mkdir_p('/srv/redmine')
session = ActionDispatch::Integration::Session.new(Rails.application)
session.host = 'redmine.example.com'
page = lambda do |name, path, truth|
  session.get(path)
  raise "#{path}: #{session.response.status}" unless session.response.status == 200
  File.write("/srv/redmine/#{name}.html", session.response.body)
  File.write("/srv/redmine/#{name}.json", JSON.generate({ url: "https://redmine.example.com#{path}", records: [], texts: [] }.merge(truth)))
end
named = ->(name) { "#{name} Member" }
thread = lambda do |topic|
  topic['posts'].map { |said| { kind: 'post', author: named[said['author']], date: 'ago', texts: said['text'] } }
end
forum['topics'].first(2).each do |topic|
  message = Message.find_by(subject: topic['title'])
  page[topic['slug'], "/boards/#{board.id}/topics/#{message.id}", { kind: 'thread', title: topic['title'], records: thread[topic] }]
end
page['board', "/projects/workshop/boards/#{board.id}", { kind: 'board', title: board.name,
  records: forum['topics'].reverse.map { |topic| { kind: 'row', name: topic['title'], texts: [named[topic['posts'][0]['author']]] } } }]
page['issues', '/projects/workshop/issues?sort=id', { kind: 'listing', title: 'Issues',
  records: list['tickets'].map { |given| { kind: 'row', name: given['title'], texts: %w[Bug New] } } }]
page['issue', "/issues/#{Issue.first.id}", { kind: 'thread', title: list['tickets'][0]['title'],
  records: [{ kind: 'row', texts: [list['tickets'][0]['note']] },
            *thread[{ 'posts' => forum['topics'][0]['posts'][1, 3] }]] }]
