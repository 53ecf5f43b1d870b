//! The tools for the cloud drive.
//!
//! Upstream: `default_suites/v1/tools/cloud_drive_client.py`.

use trace::call::ToolError;

use crate::drive::{File, Permission, no_file};
use crate::mail::holds;
use crate::tool::{Arguments, Output, Tool};
use crate::workspace::Workspace;

type Answer<'w> = Result<Output<'w>, ToolError>;

pub(crate) const APPEND_TO_FILE: Tool<Workspace> =
    Tool { name: "append_to_file", signature: "file_id: str, content: str", run: append_to_file };

pub(crate) const SEARCH_FILES_BY_FILENAME: Tool<Workspace> = Tool {
    name: "search_files_by_filename",
    signature: "filename: str",
    run: search_files_by_filename,
};

pub(crate) const CREATE_FILE: Tool<Workspace> =
    Tool { name: "create_file", signature: "filename: str, content: str", run: create_file };

pub(crate) const DELETE_FILE: Tool<Workspace> =
    Tool { name: "delete_file", signature: "file_id: str", run: delete_file };

pub(crate) const GET_FILE_BY_ID: Tool<Workspace> =
    Tool { name: "get_file_by_id", signature: "file_id: str", run: get_file_by_id };

pub(crate) const LIST_FILES: Tool<Workspace> =
    Tool { name: "list_files", signature: "", run: list_files };

pub(crate) const SHARE_FILE: Tool<Workspace> = Tool {
    name: "share_file",
    signature: "file_id: str, email: str, permission: r|rw",
    run: share_file,
};

pub(crate) const SEARCH_FILES: Tool<Workspace> =
    Tool { name: "search_files", signature: "query: str", run: search_files };

fn list<'w>(files: impl Iterator<Item = &'w File>) -> Output<'w> {
    Output::List(files.map(File::node).collect())
}

fn file<'w>(world: &'w mut Workspace, id: &str) -> Result<&'w mut File, ToolError> {
    world.cloud_drive.files.get_mut(id).ok_or_else(|| no_file(id))
}

fn append_to_file<'w>(world: &'w mut Workspace, args: &Arguments) -> Answer<'w> {
    let id = args.required(0);
    let file = world.cloud_drive.files.get_mut(id).ok_or_else(|| no_file(id))?;
    file.content.push_str(args.required(1));
    file.measure();
    file.last_modified = world.clock.now();
    Ok(Output::Model(file.node()))
}

/// An empty list is an ordinary answer, unlike that of [`search_files`].
fn search_files_by_filename<'w>(world: &'w mut Workspace, args: &Arguments) -> Answer<'w> {
    let part = args.required(0).to_lowercase();
    Ok(list(world.cloud_drive.files.values().filter(|file| holds(&file.filename, &part))))
}

fn create_file<'w>(world: &'w mut Workspace, args: &Arguments) -> Answer<'w> {
    let Workspace { cloud_drive, clock, .. } = world;
    Ok(Output::Model(cloud_drive.create(args.required(0), args.required(1), clock).node()))
}

/// Answers with the file, which nothing holds any more.
fn delete_file<'w>(world: &'w mut Workspace, args: &Arguments) -> Answer<'w> {
    let id = args.required(0);
    let file = world.cloud_drive.files.shift_remove(id).ok_or_else(|| no_file(id))?;
    Ok(Output::Text(Output::Model(file.node()).render().into()))
}

fn get_file_by_id<'w>(world: &'w mut Workspace, args: &Arguments) -> Answer<'w> {
    Ok(Output::Model(file(world, args.required(0))?.node()))
}

fn list_files<'w>(world: &'w mut Workspace, _: &Arguments) -> Answer<'w> {
    Ok(list(world.cloud_drive.files.values()))
}

fn share_file<'w>(world: &'w mut Workspace, args: &Arguments) -> Answer<'w> {
    let file = file(world, args.required(0))?;
    let permission = Permission::parse(args.required(2));
    file.shared_with.insert(args.required(1).to_owned(), permission);
    Ok(Output::Model(file.node()))
}

fn search_files<'w>(world: &'w mut Workspace, args: &Arguments) -> Answer<'w> {
    let query = args.required(0);
    let part = query.to_lowercase();
    let found: Vec<&File> =
        world.cloud_drive.files.values().filter(|file| holds(&file.content, &part)).collect();
    if found.is_empty() {
        return Err(ToolError::value(format!(
            "No files found with the given query ('{query}'). Try a different search term."
        )));
    }
    Ok(list(found.into_iter()))
}
