-- The texts of announcements are with those of all notifications, which every signed-in page has.
update user_notifications set title = 'notify.announcement.title', msg = 'notify.announcement.msg'
  where title = 'pushNotifications.announcement_title';
