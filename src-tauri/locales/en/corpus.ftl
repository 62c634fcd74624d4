# What is wrong with a database. The codes are those of nexi_postgres::DatabaseProblem.
corpus-problem =
    .bad_address = to: this is not the address of a PostgreSQL database, such as postgres://USER@HOST/DATABASE ({ $message })
    .password_in_address = to: leave the password out of the address, where other programs can read it; set PGPASSWORD, or type it when you are asked
    .unencrypted = to: { $host } is another computer, and sslmode=disable would send everything unencrypted; leave it out
    .unreached = The database at { $host } could not be reached ({ $message }). Is it running, and does the address have the right port?
    .no_tls = { $host } offers no encrypted connection, or its certificate is not trusted ({ $message }). Have TLS set up there, or add its certificate to those of this system.
    .password_missing = { $user } needs a password. Set PGPASSWORD.
    .wrong_password = { $host } did not let { $user } in. Check the user and the password.
    .no_database = There is no database "{ $name }". Create it first, for example with createdb { $name }.
    .old_server = This is PostgreSQL { $found }; a corpus needs version 15 or later.
    .no_corpus = There is no corpus in this database, or you may not see it. Create one with nexi corpus create, or have yourself made a member of nexi_reader.
    .corpus_exists = There is a corpus in this database already. To add a group, name its role: --group ROLE
    .other_version = This corpus has version { $found }, and this Nexi knows version { $known }. Use the Nexi that belongs to it.
    .no_group = group: this corpus has no group for the role "{ $role }"; nexi corpus create --group makes groups
    .no_role = group: there is no role "{ $role }" in this database; create it first, for example with createuser --no-login { $role }
    .not_allowed = The database does not allow { $user } to do this ({ $message }). Members of nexi_reader may search a corpus, those of nexi_writer may fill it.
    .gone = The database went away ({ $message }). What had been read is kept; run the command again.
    .refused = The database refused: { $message }
