//! A request whose response is not yet over.

use super::connection::Connection;
use std::sync::Arc;

/// Counted as one of its connection until it is dropped.
pub struct InProgress {
    pub connection: Arc<Connection>,
}

impl InProgress {
    pub fn of(connection: &Arc<Connection>) -> InProgress {
        connection.activity.begin_answer();
        InProgress {
            connection: connection.clone(),
        }
    }
}

impl Drop for InProgress {
    fn drop(&mut self) {
        self.connection.activity.end_answer();
    }
}
